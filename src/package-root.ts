import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of this package: one above both `src/` (under tsx) and `dist/` (published). */
const packageRoot = join(import.meta.dirname, '..');

/** All templates in one file, made by `npm run build`: reading hundreds would take longer than everything else. */
export const packPath = join(packageRoot, 'dist/templates.pack');

export const templatesFolder = join(packageRoot, 'templates');
export const advisoriesFolder = join(packageRoot, 'advisories');

/** The generator's own version, as its package.json says. */
export function generatorVersion(): string {
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
