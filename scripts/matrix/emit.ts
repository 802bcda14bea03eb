import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inOrder, questionsFrom, valuesOf } from '../../src/answers/questions.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { templatesFolder } from '../../src/package-root.js';
import type { FileToWrite } from '../../src/project/write-project.js';
import { type Ended, filesBelow, repositoryFolder, runChild } from './child.js';
import type { Combination } from './offers.js';

/** Where the combinations are emitted: within the repository, so that its packages are found from there. */
export const matrixFolder = join(repositoryFolder, 'playground/matrix');

/** Of every combination: the folder's name would be taken, which names layers. */
export const projectName = 'auth-service';

/** Runs the real command line, with every answer given by its flag. */
export function runCreate(folder: string, combination: Combination): Promise<Ended> {
  const asked = inOrder(questionsFrom(readCatalog(templatesFolder)));
  const flags = asked
    .filter(([key]) => key in combination)
    .flatMap(([key, { flag }]) => [
      flag.replace(/ .*/, ''),
      valuesOf(combination, key).join(',') || 'none',
    ]);
  const named = ['--name', projectName];
  const program = join(repositoryFolder, 'bin/create-auth-service.js');
  const command = [
    process.execPath,
    program,
    folder,
    ...flags,
    ...named,
    '--no-install',
    '--no-git',
  ];
  return runChild(dirname(folder), command);
}

/** Emits a combination into a folder of its own, which is emptied first. @throws Error with what the CLI printed */
export async function emit(combination: Combination, parent = matrixFolder): Promise<string> {
  const folder = join(parent, combination.name);
  mkdirSync(parent, { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  const { exitCode, text } = await runCreate(folder, combination);
  if (exitCode !== 0) throw new Error(`create ended with exit code ${exitCode}\n${text}`);
  return folder;
}

/** Path → mode and hash of each file. */
export function fingerprint(folder: string, leftOut: string[] = []): Record<string, string> {
  const paths = filesBelow(folder).filter((path) => !leftOut.includes(path));
  const files = paths.map((path) => {
    const file = join(folder, path);
    return { path, content: readFileSync(file), mode: statSync(file).mode };
  });
  return fingerprintOf(files);
}

/** The same of files in memory. */
export function fingerprintOf(files: FileToWrite[]): Record<string, string> {
  return Object.fromEntries(
    files.map(({ path, content, mode }) => {
      const hash = createHash('sha256').update(content).digest('hex');
      return [path, `${(mode & 0o777).toString(8)} ${hash}`];
    }),
  );
}

/** The paths in which two fingerprints differ. */
export function differing(a: Record<string, string>, b: Record<string, string>): string[] {
  const paths = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...paths].filter((path) => a[path] !== b[path]).sort();
}
