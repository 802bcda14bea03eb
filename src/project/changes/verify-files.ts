import { UserError } from '../../errors.js';
import { readProjectFile } from '../read-file.js';
import type { Journal } from './journal.js';
import { isSame } from './look.js';

/** Reads all that was written once more. @throws UserError if something else has come out: the disk, or another writer */
export function verifyFiles(root: string, { entries }: Journal): void {
  const wrong = entries.find(({ path, after }) => !isSame(after, readProjectFile(root, path)));
  if (!wrong) return;
  throw new UserError(`${wrong.path} is not what was written to it. All was put back.`);
}
