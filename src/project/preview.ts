import { filePatch } from '../diff/file-patch.js';
import type { TreeChange } from '../upgrade/upgrade-plan.js';
import { readProjectFile } from './read-file.js';

/** The files as a tree of folders, one name per line. The paths must be sorted. */
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

/** What the changes would do to the folder, as a patch for `git apply`. */
export function patchOf(root: string, changes: TreeChange[]): string {
  return changes
    .map(({ path, after }) => filePatch(path, readProjectFile(root, path), after).text)
    .join('');
}
