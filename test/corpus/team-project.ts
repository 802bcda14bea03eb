import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow } from '../../scripts/matrix/child.js';

/** A project in the hands of its team: what an editor does with files, by path within it. */
export type TeamProject = ReturnType<typeof teamProject>;

export function teamProject(root: string) {
  const at = (path: string) => join(root, path);
  const touched = new Set<string>();
  const read = (path: string) => readFileSync(at(path), 'utf8');
  const write = (path: string, text: string) => {
    touched.add(path);
    mkdirSync(dirname(at(path)), { recursive: true });
    // The file may be a link to one that other projects share.
    rmSync(at(path), { force: true });
    writeFileSync(at(path), text);
  };
  return {
    root,
    /** The paths that were written, moved or deleted. */
    touched,
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
    remove(path: string) {
      touched.add(path);
      rmSync(at(path));
    },
    move(from: string, to: string) {
      touched.add(from).add(to);
      mkdirSync(dirname(at(to)), { recursive: true });
      renameSync(at(from), at(to));
    },
    /** The project's files without its record. */
    paths: () =>
      filesBelow(root).filter(
        (path) => !/^(\.create-auth-service|\.git|node_modules)\//.test(path),
      ),
  };
}
