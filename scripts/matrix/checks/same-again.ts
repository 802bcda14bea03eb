import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { differing, emit, fingerprint, matrixFolder, runCreate } from '../emit.js';
import type { Emitted } from './check.js';

/** The same answers give the same bytes and modes; only the secrets in `.env` are drawn anew. */
export async function isSameAgain({ combination, folder }: Emitted): Promise<string | undefined> {
  const again = await emit(combination, `${matrixFolder}-again`);
  const differences = differing(fingerprint(folder, ['.env']), fingerprint(again, ['.env']));
  const environments = [folder, again].map((place) => readFileSync(join(place, '.env'), 'utf8'));
  const mode = (statSync(join(again, '.env')).mode & 0o777).toString(8);
  rmSync(again, { recursive: true });
  if (differences.length > 0) return `not the same when emitted again: ${differences.join(', ')}`;
  if (environments[0] === environments[1]) return 'the secrets of two emissions are the same';
  return mode === '600' ? undefined : `.env has mode ${mode}`;
}

/** A second `create` into the folder is refused with exit 1 and leaves every byte as it was. */
export async function isNotOverwritten({
  combination,
  folder,
}: Emitted): Promise<string | undefined> {
  const before = fingerprint(folder);
  const { exitCode, text } = await runCreate(folder, combination);
  const touched = differing(before, fingerprint(folder));
  if (touched.length > 0) return `a second create changed ${touched.join(', ')}`;
  return exitCode === 1 ? undefined : `a second create ended with exit code ${exitCode}\n${text}`;
}
