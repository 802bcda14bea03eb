import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { systemCode, UserError } from '../errors.js';
import { interruptible } from '../interrupt.js';
import { placeTree } from './place.js';
import { type OpenStaging, openStaging } from './staging.js';
import type { Target } from './target.js';

// Between two batches signals are taken.
const filesPerBatch = 16;

/** A file to be written; the path is relative to the project. */
export interface FileToWrite {
  path: string;
  content: Buffer;
  mode: number;
}

/**
 * Writes all files or none: into a folder beside the target, which is moved into place when it is complete. Whatever
 * ends this before, a failing write, Ctrl-C or `kill`, leaves the target as it was.
 * @param removed files of the target that go
 * @throws UserError with the system's reason if a write fails
 */
export async function writeProject(
  target: Target,
  files: FileToWrite[],
  removed: string[],
): Promise<void> {
  let staging: OpenStaging | undefined;
  const undo = () => staging?.discard();
  await interruptible(
    () => {
      undo();
      process.stderr.write('Interrupted. Nothing was changed.\n');
    },
    async () => {
      try {
        staging = openStaging(target.path);
        await writeTree(staging.fresh, files);
        placeTree(staging, target.exists, removed);
      } catch (error) {
        throw told(error, target.path);
      } finally {
        undo();
      }
    },
  );
}

/** A failing disk is no bug: it is told with the system's reason. */
function told(error: unknown, path: string): unknown {
  const code = systemCode(error);
  return code === undefined
    ? error
    : new UserError(`${path} could not be written (${code}). Nothing was changed.`);
}

/**
 * Writes a tree into a folder that nobody else uses. Synchronously, for some 300 small files that takes half the
 * processor time of asynchronous calls.
 */
export async function writeTree(folder: string, files: FileToWrite[]): Promise<void> {
  const folders = new Set(files.map(({ path }) => dirname(path)));
  for (const path of folders) mkdirSync(join(folder, path), { recursive: true });
  for (const [position, { path, content, mode }] of files.entries()) {
    writeFileSync(join(folder, path), content, { mode });
    if (position % filesPerBatch === 0) await setImmediate();
  }
}
