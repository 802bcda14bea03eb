import { linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A copy made of hard links: twenty times as fast as a real one. Only code that replaces files by new
 * ones may change it, as the command and `TeamProject` do; writing into a file would change the original.
 */
export function linkedCopy(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkedCopy(source, target);
    else linkSync(source, target);
  }
}
