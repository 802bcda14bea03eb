import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryFolder } from '../scripts/matrix/child.js';
import { differing, fingerprint } from '../scripts/matrix/emit.js';
import { allEdits } from './corpus/all-edits.js';
import { combinations } from './corpus/combinations.js';
import { changesCode, editsAtOnce, groupsOf } from './corpus/edits-at-once.js';
import { linkedCopy } from './corpus/linked-copy.js';
import { problemsAfterUpgrade } from './corpus/merged-project.js';
import { nextRelease } from './corpus/next-release.js';
import type { TeamEdit } from './corpus/team-edit.js';
import { filesOf, saveEdits, teamProject } from './corpus/team-project.js';
import { runCli } from './support/cli.js';
import type { Files } from './support/files.js';

// Inside this repository, whose packages the projects need.
const parent = join(repositoryFolder, 'playground/corpus');
const made = ['--name', 'acme', '--yes', '--no-install', '--no-git', '--quiet'];
let work: string;
let next: string;

beforeAll(() => {
  mkdirSync(parent, { recursive: true });
  work = mkdtempSync(join(parent, 'run-'));
  next = nextRelease(join(work, 'next'));
});

afterAll(() => rmSync(work, { recursive: true }));

const onProcessors = pLimit(availableParallelism());

test('with everything, and all edits in few groups', async () => {
  expect(await runCli(['emitted', ...made], { cwd: work })).toMatchObject({ exitCode: 0 });
  const emitted = join(work, 'emitted');
  const files = filesOf(emitted);
  const before = fingerprint(emitted);
  const groups = groupsOf(
    allEdits.filter((edit) => changesCode(edit, files)),
    files,
  );
  const trials = groups.map((edits, index) =>
    onProcessors(() => {
      const root = join(work, `group-${index}`);
      linkedCopy(emitted, root);
      edit(root, edits, files);
      const tests = index === 0 ? ['src/users', 'src/mail'] : [];
      return problemsAfterUpgrade(root, edits, { next, tests });
    }),
  );
  expect((await Promise.all(trials)).flat()).toEqual([]);
  expect(differing(before, fingerprint(emitted))).toEqual([]);
});

test.concurrent.each(combinations)(
  '$name, with many edits at once, is sound after its upgrade',
  async ({ flags, edits, tests }) => {
    const place = mkdtempSync(join(work, 'project-'));
    expect(await runCli(['made', ...made, ...flags], { cwd: place })).toMatchObject({
      exitCode: 0,
    });
    const root = join(place, 'made');
    const files = filesOf(root);
    const chosen = editsAtOnce(edits, files);
    edit(root, chosen, files);
    expect(await problemsAfterUpgrade(root, chosen, { next, tests })).toEqual([]);
  },
);

function edit(root: string, edits: TeamEdit[], files: Files): void {
  const project = teamProject(files);
  for (const each of edits) each.apply(project);
  saveEdits(root, project);
}
