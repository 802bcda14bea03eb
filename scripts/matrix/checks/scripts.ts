import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Emitted } from '../standard.js';

/** The README names each script of package.json, and no other. */
export function namesItsScripts({ folder }: Emitted): string | undefined {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const { scripts }: { scripts: object } = JSON.parse(read('package.json'));
  const there = Object.keys(scripts);
  const [, table = ''] = /^## Scripts\n([\s\S]*?)^## /m.exec(read('README.md')) ?? [];
  const cells = [...table.matchAll(/^\| ((?:`[\w:-]+`(?:, )?)+) \|/gm)].map(
    ([, cell = '']) => cell,
  );
  const named = cells.flatMap((cell) => cell.replaceAll('`', '').split(', '));
  const missing = there.filter((name) => !named.includes(name));
  const extra = named.filter((name) => !there.includes(name));
  const problems = [
    ...(missing.length > 0 ? [`the scripts of README.md lack ${missing.join(', ')}`] : []),
    ...(extra.length > 0
      ? [`README.md names scripts that are not there: ${extra.join(', ')}`]
      : []),
  ];
  return problems.length > 0 ? problems.join('\n') : undefined;
}
