import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { systemCode, unlessRefused } from '../../errors.js';

/** Writes a new file that survives a power cut. @param mode reduced by the umask */
export function writeDurably(path: string, content: Buffer | string, mode = 0o644): void {
  writeFileSync(path, content, { flag: 'wx', flush: true, mode });
}

/** Syncs files and folders, so that what was written or renamed there survives a power cut. */
export async function syncAll(paths: Iterable<string>): Promise<void> {
  await Promise.all(Array.from(paths, syncOne));
}

/** The same for one path, synchronously: no signal is handled in between. */
export function syncNow(path: string): void {
  unlessRefused(noMatter, undefined, () => {
    const handle = openSync(path, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  });
}

async function syncOne(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!noMatter.includes(systemCode(error) ?? '')) throw error;
  }
}

// Windows and some network disks cannot sync folders, or files opened for reading; a folder may also be gone by now.
const noMatter = ['ENOENT', 'EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EBADF'];
