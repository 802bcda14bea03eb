import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Emitted } from '../standard.js';

/** The README names each script of package.json. */
export function namesItsScripts({ folder }: Emitted): string | undefined {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const { scripts }: { scripts: object } = JSON.parse(read('package.json'));
  const [, table = ''] = /^## Scripts\n([\s\S]*?)^## /m.exec(read('README.md')) ?? [];
  const missing = Object.keys(scripts).filter((name) => !table.includes(`\`${name}\``));
  return missing.length > 0 ? `the scripts of README.md lack ${missing.join(', ')}` : undefined;
}
