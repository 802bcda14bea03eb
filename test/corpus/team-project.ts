import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../../scripts/matrix/child.js';
import { type Files, writeFiles } from '../support/files.js';

/** A project that its team edits: what an editor does with files, by path within it. */
export type TeamProject = ReturnType<typeof teamProject>;

/** Its record, and the files of git and package managers, are not edited. */
const notEdited = /^(\.create-auth-service|\.git|node_modules)\//;

/** @param files path → text; they are left as they are */
export function teamProject(files: Files) {
  const texts = new Map(Object.entries(files));
  const touched = new Set<string>();
  const read = (path: string) => {
    const text = texts.get(path);
    if (text === undefined) throw new Error(`there is no ${path}`);
    return text;
  };
  const write = (path: string, text: string) => {
    touched.add(path);
    texts.set(path, text);
  };
  const remove = (path: string) => {
    read(path);
    touched.add(path);
    texts.delete(path);
  };
  return {
    read,
    write,
    /** Replaces every occurrence. @throws Error if there is none */
    replace(path: string, from: string, to: string) {
      const text = read(path);
      if (!text.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)}`);
      write(path, text.replaceAll(from, to));
    },
    append(path: string, text: string) {
      write(path, read(path) + text);
    },
    remove,
    move(from: string, to: string) {
      write(to, read(from));
      remove(from);
    },
    paths: () => [...texts.keys()],
    /** The paths that were written, moved or deleted, with their texts now. */
    edits: () => Object.fromEntries([...touched].map((path) => [path, texts.get(path)])),
  };
}

/** The files of a project on the disk, as `teamProject` takes them. */
export function filesOf(root: string): Files {
  const paths = filesBelow(root).filter((path) => !notEdited.test(path));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Writes the edits to the disk. A file may be a hard link shared with other projects, so it is replaced by a new one. */
export function saveEdits(root: string, { edits }: TeamProject): void {
  const changed = Object.entries(edits());
  for (const [path] of changed) rmSync(join(root, path), { force: true });
  const written = changed.flatMap(([path, text]) => (text === undefined ? [] : [[path, text]]));
  writeFiles(root, Object.fromEntries(written));
}
