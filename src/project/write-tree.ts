import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ProjectFile } from './read-file.js';

/** Signals are handled between two batches of files. */
export const filesPerBatch = 16;

/** A file to be written, with the permission bits that it gets whatever the umask is. */
export interface FileToWrite extends ProjectFile {
  /** Relative to the target folder. */
  path: string;
}

/**
 * Writes files, and the folders that they need, below a folder that nobody else uses. Synchronous: for hundreds of
 * small files that takes half the processor time of asynchronous calls.
 * @returns their paths
 */
export async function writeTree(folder: string, files: FileToWrite[]): Promise<string[]> {
  const written: string[] = [];
  const umask = process.umask();
  for (const path of new Set(files.map((file) => dirname(file.path)))) {
    mkdirSync(`${folder}/${path}`, { recursive: true });
  }
  for (const { path, content, mode } of files) {
    // `join` would take a third of the total time.
    const file = `${folder}/${path}`;
    writeFileSync(file, content, { mode });
    if ((mode & umask) !== 0) chmodSync(file, mode);
    written.push(file);
    if (written.length % filesPerBatch === 0) await setImmediate();
  }
  return written;
}
