import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryFolder } from '../scripts/matrix/child.js';
import { differing, fingerprint } from '../scripts/matrix/emit.js';
import { onProcessors } from '../scripts/matrix/processors.js';
import { keptReleases, unpackRelease } from '../scripts/release/package-archive.js';
import { allEdits } from './corpus/all-edits.js';
import { withTable } from './corpus/corpus-table.js';
import { groupsOf } from './corpus/groups.js';
import { linkedCopy } from './corpus/linked-copy.js';
import { expectTexts, pendingOf, problemsAfterUpgrades } from './corpus/merged-project.js';
import { nextRelease } from './corpus/next-release.js';
import type { TeamEdit } from './corpus/team-edit.js';
import { teamProject } from './corpus/team-project.js';
import { upgradeProject } from './corpus/upgrade-project.js';
import { runCli } from './support/cli.js';

// Within this repository, whose packages the projects need.
const parent = join(repositoryFolder, 'playground/corpus');
const releases = keptReleases();
const quickTests = ['src/users', 'src/mail', 'src/http/answer.test.ts'];
let work: string;
let next: string;
const touchedBy = new Map<TeamEdit, Set<string>>();
const emitted = new Map<string, Record<string, string>>();

const emittedBy = (release: string) => join(work, release, 'emitted');

beforeAll(async () => {
  mkdirSync(parent, { recursive: true });
  work = mkdtempSync(join(parent, 'run-'));
  next = nextRelease(join(work, 'next'));
  for (const release of releases) {
    const bin = unpackRelease(release, join(work, release, 'package'));
    const flags = ['--name', 'acme', '--yes', '--no-install', '--no-git', '--quiet'];
    const made = await runCli(['emitted', ...flags], { cwd: join(work, release), bin });
    if (made.exitCode !== 0) throw new Error(made.stderr);
    emitted.set(release, fingerprint(emittedBy(release)));
  }
});

afterAll(() => {
  for (const [release, before] of emitted) {
    expect(differing(before, fingerprint(emittedBy(release)))).toEqual([]);
  }
  rmSync(work, { recursive: true });
});

/** The emitted project in the hands of a team. */
function projectOf(release: string, name: string, edits: TeamEdit[]) {
  const root = join(work, release, name);
  // Formatters write into the files that they find.
  const isSwept = edits.some(({ isSweeping }) => isSweeping);
  if (isSwept) cpSync(emittedBy(release), root, { recursive: true });
  else linkedCopy(emittedBy(release), root);
  const project = teamProject(root);
  for (const edit of edits) edit.apply(project);
  const [edit] = edits;
  if (edit && edits.length === 1) touchedBy.set(edit, project.touched);
  return project;
}

describe.each(releases)('a project of release %s', (release) => {
  test.concurrent.each(allEdits.map((edit, index) => ({ edit, index, ...edit })))(
    'whose team $team, where the template: $template',
    async ({ edit, index }) => {
      const { root } = projectOf(release, `edit-${index}`, [edit]);
      const { exitCode, outcomes, pending } = await upgradeProject(root, next);
      expect(outcomes).toMatchObject(edit.outcomes);
      expect(pending).toEqual(pendingOf(edit));
      expect(exitCode).toBe(pending.length > 0 ? 2 : 0);
      expectTexts(edit, root);
    },
  );

  test('with many edits is sound after this version and after the next one', async () => {
    const groups = groupsOf(allEdits, touchedBy);
    const trials = groups.map(({ name, edits }) =>
      onProcessors(1, () => {
        const { root } = projectOf(release, name, edits);
        const tests = name === 'group-0' ? quickTests : [];
        return problemsAfterUpgrades(root, edits, { next, tests });
      }),
    );
    expect((await Promise.all(trials)).flat()).toEqual([]);
  });
});

test('docs/upgrade.md has the table of these edits', () => {
  const page = readFileSync(join(repositoryFolder, 'docs/upgrade.md'), 'utf8');
  expect(withTable(page)).toBe(page);
});
