import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFrom } from '../compiler.js';
import type { Emitted } from '../standard.js';

/** `.env.example` names each variable that the configuration or `compose.yaml` knows, and no other. */
export async function namesItsVariables({ folder }: Emitted): Promise<string | undefined> {
  const example = readFileSync(join(folder, '.env.example'), 'utf8');
  const shown = [...example.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name);
  const { variables } = await importFrom<{ variables: object }>(folder, 'src/config.ts');
  const known = Object.keys(variables);
  const compose = readFileSync(join(folder, 'compose.yaml'), 'utf8');
  const problems = [
    ...known.filter((name) => !shown.includes(name)).map((name) => `.env.example lacks ${name}`),
    ...shown
      .filter((name) => !known.includes(name) && !compose.includes(`\${${name}:`))
      .map((name) => `nothing reads ${name}`),
  ];
  return problems.length > 0 ? problems.join('\n') : undefined;
}
