import { join } from 'node:path';
import { listed, UserError } from '../../errors.js';
import { packPath } from '../../plan/base-pack.js';
import type { Project } from '../open-project.js';
import { statsOf } from '../read-file.js';
import { callGit } from './call-git.js';

/** The emitted files, and the pack of their pristine texts, that git has but a sparse checkout omits. */
export async function leftOut({ root, manifest }: Project): Promise<string[]> {
  const answer = await callGit(root, ['ls-files', '-t', '-z']);
  if (answer?.exitCode !== 0) return [];
  const lines = answer.stdout.toString().split('\0');
  const skipped = lines.flatMap((line) => (line.startsWith('S ') ? [line.slice(2)] : []));
  if (skipped.length === 0) return [];
  const emitted = new Set([
    packPath,
    ...manifest.files.map(({ path, movedTo }) => movedTo ?? path),
  ]);
  return skipped.filter((path) => emitted.has(path) && statsOf(join(root, path)) === undefined);
}

/** @throws UserError if files are left out: they would count as deleted and never get the template's changes */
export async function refuseSparse(project: Project): Promise<void> {
  const paths = await leftOut(project);
  if (paths.length === 0) return;
  throw new UserError(`Not in this sparse checkout:\n${listed(paths)}`, 1, wholeCheckout);
}

/** How to get the omitted files. */
export const wholeCheckout = 'An upgrade needs all of the project: git sparse-checkout disable';
