import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { settle } from './durable.js';
import type { Journal } from './journal.js';
import type { Lock } from './lock.js';
import type { Found } from './look.js';
import { stagedPath } from './staged-path.js';

// Between two batches signals are taken.
const filesPerBatch = 16;

/** Lays each new text beside the file that it is going to replace. All that needs space on the disk is done here. */
export async function stageFiles(
  root: string,
  journal: Journal,
  found: Found[],
  lock: Lock,
): Promise<void> {
  for (const folder of journal.madeFolders) mkdirSync(join(root, folder));
  const staged: string[] = [];
  for (const [position, { change }] of found.entries()) {
    const mode = journal.entries[position]?.after?.mode;
    if (!change.after || mode === undefined) continue;
    lock.check();
    const path = stagedPath(root, change.path, journal);
    writeFileSync(path, change.after.content, { flag: 'wx' });
    chmodSync(path, mode);
    staged.push(path);
    if (position % filesPerBatch === 0) await setImmediate();
  }
  await settle(staged);
}
