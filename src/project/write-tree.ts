import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** Between two batches of files signals are taken. */
export const filesPerBatch = 16;

/** A file to be written; the path is relative to the folder that it goes to. */
export interface FileToWrite {
  path: string;
  content: Buffer;
  /** The permission bits that it gets, whatever the umask is. */
  mode: number;
}

/**
 * Writes files below a folder that nobody else uses, and the folders that they need. Synchronously: for hundreds of small
 * files that takes half the processor time of asynchronous calls.
 * @returns where they lie
 */
export async function writeTree(folder: string, files: FileToWrite[]): Promise<string[]> {
  const written: string[] = [];
  const umask = process.umask();
  for (const path of new Set(files.map((file) => dirname(file.path)))) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  for (const { path, content, mode } of files) {
    const file = join(folder, path);
    writeFileSync(file, content, { mode });
    if ((mode & umask) !== 0) chmodSync(file, mode);
    written.push(file);
    if (written.length % filesPerBatch === 0) await setImmediate();
  }
  return written;
}
