import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../errors.js';
import { recordFolder } from '../../plan/manifest.js';

/** Where the locks and the journal lie while something is being changed, or waits to be continued. Git ignores it. */
export const workFolder = `${recordFolder}/work`;
export const ignoreFile = '.gitignore';

const draftName = /^draft-/;

/** Removes the folder, unless a lock or a journal is in it. */
export function removeWorkFolder(root: string): void {
  const folder = join(root, workFolder);
  try {
    const names = readdirSync(folder);
    if (names.some((name) => name !== ignoreFile && !draftName.test(name))) return;
    for (const name of names) rmSync(join(folder, name), { force: true });
    rmdirSync(folder);
  } catch (error) {
    // Another process has just put its lock there, or removed the folder itself.
    if (!['ENOTEMPTY', 'ENOENT', 'EEXIST'].includes(systemCode(error) ?? '')) throw error;
  }
}
