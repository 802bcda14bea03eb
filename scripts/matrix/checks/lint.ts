import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, problemOf } from '../child.js';
import type { Emitted } from './check.js';

const lint = ['biome', 'check', '--error-on-warnings', '--max-diagnostics=50', '--colors=off'];
// Of the paths given, Biome leaves out itself what it does not know and what the configuration excludes.
const lintOnly = [...lint, '--files-ignore-unknown=true', '--no-errors-on-unmatched'];

const sound = new Set<string>();

/**
 * Lint, format and import order by the configuration that the service brings, as the service's own script does it. Most
 * files are the same in many services: what was sound under the same rules is not looked at again. Biome reads nothing
 * else of the service for it, since no rule is on that looks into other sources.
 */
export async function isLintedAndFormatted({ folder }: Emitted): Promise<string | undefined> {
  const { configuration, packages } = rulesOf(folder);
  const open = filesBelow(folder)
    .filter((path) => !/^(dist|\.create-auth-service)\//.test(path))
    .map((path) => ({ path, keys: keysOf(folder, path, configuration, packages) }))
    .filter(({ keys }) => keys.some((key) => !sound.has(key)));
  if (open.length === 0) return undefined;
  const paths = open.map(({ path }) => path);
  const command = sound.has(configuration) ? [...lintOnly, ...paths] : [...lint, '.'];
  const problem = await problemOf(folder, command);
  if (!problem)
    for (const key of [configuration, ...open.flatMap(({ keys }) => keys)]) sound.add(key);
  return problem;
}

/** A package turns rules on and none off (Biome's domains): sound beside each of them is sound beside all of them. */
function rulesOf(folder: string): { configuration: string; packages: string[] } {
  const biome = readFileSync(join(folder, 'biome.json'));
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { scripts: _, dependencies, devDependencies, ...rest } = JSON.parse(text);
  const packages = Object.entries({ ...dependencies, ...devDependencies });
  return {
    configuration: hashOf([biome, JSON.stringify(rest)]),
    packages: packages.map(([name, range]) => `${name} ${range}`),
  };
}

function keysOf(folder: string, path: string, configuration: string, packages: string[]): string[] {
  const file = hashOf([configuration, path, readFileSync(join(folder, path))]);
  return packages.map((name) => `${file} ${name}`);
}

function hashOf(parts: (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(String(part.length)).update(' ').update(part);
  return hash.digest('hex');
}
