import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemOf, repositoryFolder } from '../scripts/matrix/child.js';
import { keptReleases, unpackRelease } from '../scripts/release/package-archive.js';
import { allEdits } from './corpus/all-edits.js';
import { withTable } from './corpus/corpus-table.js';
import { groupsOf } from './corpus/groups.js';
import { nextRelease } from './corpus/next-release.js';
import type { TeamEdit } from './corpus/team-edit.js';
import { teamProject } from './corpus/team-project.js';
import { decideAll, upgradeProject } from './corpus/upgrade-project.js';
import { binFile, runCli } from './support/cli.js';

/** Where projects lie that need this repository's packages. */
const playground = join(repositoryFolder, 'playground/corpus');
const releases = keptReleases();
let work: string;
let next: string;

const emittedBy = (release: string) => join(work, release, 'emitted');

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'create-auth-service-corpus-'));
  rmSync(playground, { recursive: true, force: true });
  next = nextRelease(join(work, 'next'));
  for (const release of releases) {
    const bin = unpackRelease(release, join(work, release, 'package'));
    const flags = ['--name', 'acme', '--yes', '--no-install', '--no-git', '--quiet'];
    const made = await runCli(['emitted', ...flags], { cwd: join(work, release), bin });
    if (made.exitCode !== 0) throw new Error(made.stderr);
  }
});

afterAll(() => rmSync(work, { recursive: true, force: true }));

function copyOf(release: string, parent: string, name: string) {
  const root = join(parent, name);
  mkdirSync(parent, { recursive: true });
  cpSync(emittedBy(release), root, { recursive: true });
  return teamProject(root);
}

function expectTexts({ has = {}, lacks = [] }: TeamEdit, root: string): void {
  for (const [path, texts] of Object.entries(has)) {
    const text = readFileSync(join(root, path), 'utf8');
    for (const each of texts) expect(text).toContain(each);
  }
  expect(lacks.filter((path) => existsSync(join(root, path)))).toEqual([]);
}

const isPending = (outcome: string) => ['conflict', 'beside', 'no-base'].includes(outcome);

describe.each(releases)('an edit in a project of release %s', (release) => {
  test.concurrent.each(allEdits.map((edit, index) => [index, edit] as const))(
    'edit %i comes out as the table says',
    async (index, edit) => {
      const project = copyOf(release, join(work, release), `edit-${index}`);
      edit.apply(project);
      const { exitCode, outcomes, pending } = await upgradeProject(project.root, next);
      expect(outcomes).toMatchObject(edit.outcomes);
      const waiting = Object.entries(edit.outcomes).filter(([, outcome]) => isPending(outcome));
      expect(pending).toEqual(waiting.map(([path]) => path));
      expect(exitCode).toBe(pending.length > 0 ? 2 : 0);
      expectTexts(edit, project.root);
      rmSync(project.root, { recursive: true });
    },
  );
});
