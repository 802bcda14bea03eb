import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../child.js';
import type { Emitted } from './check.js';

const printNames = `import { variables } from './src/config.ts';
console.log(JSON.stringify(Object.keys(variables)));`;

/** `.env.example` names each variable that the configuration knows, and no other. */
export async function namesItsVariables({ folder }: Emitted): Promise<string | undefined> {
  const example = readFileSync(join(folder, '.env.example'), 'utf8');
  const shown = [...example.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name);
  const script = ['--import', 'tsx', '--input-type=module', '--eval', printNames];
  const { exitCode, text } = await runChild(folder, [process.execPath, ...script]);
  if (exitCode !== 0) return text;
  const known = JSON.parse(text) as string[];
  const problems = [
    ...known.filter((name) => !shown.includes(name)).map((name) => `.env.example lacks ${name}`),
    ...shown.filter((name) => !known.includes(name)).map((name) => `nothing reads ${name}`),
  ];
  return problems.length > 0 ? problems.join('\n') : undefined;
}
