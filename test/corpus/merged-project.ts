import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { problemOf } from '../../scripts/matrix/child.js';
import { compilerProblem } from '../../scripts/matrix/compiler.js';
import { faultsOf, pendingOf, type TeamEdit } from './team-edit.js';
import { decideAll, upgradeProject } from './upgrade-project.js';

/** What to check in a project after its upgrade. */
interface Trials {
  /** The command of the version after the one that created it. */
  next: string;
  /** Files and folders whose tests are run; none if there are none. */
  tests: string[];
}

/** The results of compiler, linter and tests for an edited project that was upgraded, with its conflicts resolved. */
export async function problemsAfterUpgrade(
  root: string,
  edits: TeamEdit[],
  { next, tests }: Trials,
): Promise<string[]> {
  const { pending } = await upgradeProject(root, next);
  expect(pending).toEqual(edits.flatMap(pendingOf).sort());
  const textAt = (path: string) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
  expect(edits.flatMap((edit) => faultsOf(edit, textAt))).toEqual([]);
  const decided = (side: 'yours' | 'theirs') =>
    edits.filter(({ decides = 'yours' }) => decides === side).flatMap(pendingOf);
  if (pending.length > 0)
    await decideAll(root, next, { yours: decided('yours'), theirs: decided('theirs') });
  expect(await upgradeProject(root, next)).toMatchObject({ exitCode: 0, written: 0 });
  const isSwept = edits.some(({ isSweeping }) => isSweeping);
  const commands = [
    ...(isSwept ? [] : [['biome', 'check', '--error-on-warnings', '.']]),
    ...(tests.length > 0 ? [['vitest', 'run', ...tests]] : []),
  ];
  const problems = await Promise.all([
    compilerProblem(root),
    ...commands.map((command) => problemOf(root, command)),
  ]);
  return problems.filter((problem) => problem !== undefined);
}
