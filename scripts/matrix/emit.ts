import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { flagOf, questionsFrom, valuesOf } from '../../src/answers/questions.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { sha256Of } from '../../src/plan/manifest.js';
import type { FileToWrite } from '../../src/project/write-tree.js';
import { commandFile, filesBelow, repositoryFolder, runChild } from './child.js';
import type { Combination } from './combinations.js';

/** Where the combinations are emitted: within the repository, so that its packages are found from there. */
const matrixFolder = join(repositoryFolder, 'playground/matrix');

/** The name of every combination: by default it would be the folder's, which names layers. */
export const projectName = 'auth-service';

/**
 * Emits a combination by the real command line, with every answer given by its flag, into a folder of its own, which is
 * emptied first. @throws Error with what the command line printed
 */
export async function emit(combination: Combination, parent = matrixFolder): Promise<string> {
  const folder = join(parent, combination.name);
  mkdirSync(parent, { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  const answers = { ...combination, name: projectName };
  const flags = questionsFrom(readCatalog())
    .filter(({ key }) => key in answers)
    .flatMap((question) => [flagOf(question), valuesOf(answers, question.key).join(',') || 'none']);
  const { exitCode, text } = await runChild(parent, [
    process.execPath,
    commandFile,
    folder,
    ...flags,
    '--no-install',
    '--no-git',
  ]);
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
      return [path, `${(mode & 0o777).toString(8)} ${sha256Of(content)}`];
    }),
  );
}

/** The paths in which two fingerprints differ. */
export function differing(a: Record<string, string>, b: Record<string, string>): string[] {
  const paths = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...paths].filter((path) => a[path] !== b[path]).sort();
}
