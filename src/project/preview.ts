import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Side } from '../diff/file-patch.js';
import { readProjectFile } from './read-file.js';
import type { FileToWrite } from './write-project.js';

/** The files as a tree of folders, one name a line. The paths are sorted. */
export function treeLines(paths: string[]): string[] {
  let before: string[] = [];
  return paths.flatMap((path) => {
    const steps = path.split('/');
    const shared = steps.findIndex((step, depth) => step !== before[depth]);
    before = steps;
    return steps.slice(shared).map((step, position) => {
      const depth = shared + position;
      return `${'  '.repeat(depth)}${step}${depth < steps.length - 1 ? '/' : ''}`;
    });
  });
}

/**
 * What writing the files would change in the folder, as a patch that `git apply` takes.
 * @param removed files that go
 */
export async function patchOf(
  folder: string,
  files: FileToWrite[],
  removed: string[],
): Promise<string> {
  const { filePatch } = await import('../diff/file-patch.js');
  const written = files.map((file) => filePatch(file.path, stateIn(folder, file), file).text);
  const gone = removed.map(
    (path) => filePatch(path, readProjectFile(folder, path), undefined).text,
  );
  return [...written, ...gone].join('');
}

/** The modes of files that are replaced are not looked at: the new ones come with theirs. */
function stateIn(folder: string, { path, mode }: FileToWrite): Side {
  const there = join(folder, path);
  return existsSync(there) ? { content: readFileSync(there), mode } : undefined;
}
