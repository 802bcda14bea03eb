import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { problemOf } from '../../scripts/matrix/child.js';
import { compilerProblem } from '../../scripts/matrix/compiler.js';
import { binFile } from '../support/cli.js';
import type { TeamEdit } from './team-edit.js';
import { decideAll, upgradeProject } from './upgrade-project.js';

/** What is tried in a project after its upgrades. */
interface Trials {
  /** The command of the version after this one. */
  next: string;
  /** Files and folders whose tests are run; none if there are none. */
  tests: string[];
}

/**
 * What compiler, linter and tests say of a project that carries edits, was upgraded to this version, where its team keeps
 * what is its own, and to the next one, and decided about.
 */
export async function problemsAfterUpgrades(
  root: string,
  edits: TeamEdit[],
  { next, tests }: Trials,
): Promise<string[]> {
  const first = await upgradeProject(root, binFile);
  if (first.pending.length > 0) {
    await decideAll(root, binFile, { yours: first.pending, theirs: [] });
  }
  const { pending } = await upgradeProject(root, next);
  expect(pending).toEqual(edits.flatMap(pendingOf).sort());
  for (const edit of edits) expectTexts(edit, root);
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

/** Holds a project to the texts that an edit says are in it afterwards. */
export function expectTexts({ has = {}, lacks = [] }: TeamEdit, root: string): void {
  for (const [path, texts] of Object.entries(has)) {
    const text = readFileSync(join(root, path), 'utf8');
    for (const each of texts) expect(text).toContain(each);
  }
  expect(lacks.filter((path) => existsSync(join(root, path)))).toEqual([]);
}

/** The paths about which an edit leaves a decision open. */
export function pendingOf({ outcomes }: TeamEdit): string[] {
  const waiting = ['conflict', 'beside', 'no-base'];
  return Object.keys(outcomes).filter((path) => waiting.includes(outcomes[path] ?? ''));
}
