import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode, UserError } from '../errors.js';
import { interruptible } from '../interrupt.js';
import { placeTree } from './place.js';
import { openStaging } from './staging.js';
import type { Target } from './target.js';

/** A file to be written; the path is relative to the project. */
export interface FileToWrite {
  path: string;
  content: Buffer;
  mode: number;
}

/**
 * Writes all files or none: into a folder beside the target, which is moved into place when it is complete. Whatever
 * ends this before, a failing write, Ctrl-C or `kill`, leaves the target as it was.
 * @throws UserError with the system's reason if a write fails
 */
export async function writeProject(target: Target, files: FileToWrite[]): Promise<void> {
  const staging = openStaging(target.path);
  await interruptible(staging.discard, async () => {
    try {
      await writeTree(staging.fresh, files);
      placeTree(staging, target.exists);
    } catch (error) {
      staging.discard();
      const code = systemCode(error);
      if (code === undefined) throw error;
      throw new UserError(`${target.path} could not be written (${code}). Nothing was changed.`);
    }
    staging.discard();
  });
}

/** Writes a tree into a folder that nobody else uses. */
export async function writeTree(folder: string, files: FileToWrite[]): Promise<void> {
  const folders = new Set(files.map(({ path }) => dirname(join(folder, path))));
  for (const path of [...folders].sort()) mkdirSync(path, { recursive: true });
  await Promise.all(
    files.map(({ path, content, mode }) => writeFile(join(folder, path), content, { mode })),
  );
}
