import { basename, dirname, join } from 'node:path';

/**
 * Where a file's new text waits: in the same folder, so that moving it in place is one step on every disk, under a name
 * that no compiler or watcher takes for source.
 */
export function stagedPath(root: string, path: string, { token }: { token: string }): string {
  return join(root, dirname(path), `.${basename(path)}.${token}`);
}
