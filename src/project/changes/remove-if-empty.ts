import { rmdirSync } from 'node:fs';
import { systemCode } from '../../errors.js';

/** Removes a folder; it stays if somebody has something in it. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const isNoMatter = ['ENOTEMPTY', 'ENOENT', 'EEXIST', 'ENOTDIR'];
    if (!isNoMatter.includes(systemCode(error) ?? '')) throw error;
  }
}
