import { linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A copy whose files are the same on the disk: twenty times as quick as a real one. It may be changed by whoever puts new
 * files in the place of old ones, as the command and `TeamProject` do, and by nobody who writes into them.
 */
export function linkedCopy(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkedCopy(source, target);
    else linkSync(source, target);
  }
}
