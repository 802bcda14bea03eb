import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryFolder } from '../scripts/matrix/child.js';
import { combinations } from './corpus/combinations.js';
import { editsAtOnce } from './corpus/edits-at-once.js';
import { problemsAfterUpgrade } from './corpus/merged-project.js';
import { nextRelease } from './corpus/next-release.js';
import { filesOf, saveEdits, teamProject } from './corpus/team-project.js';
import { runCli } from './support/cli.js';

// Within this repository, whose packages the projects need.
const parent = join(repositoryFolder, 'playground/corpus-combinations');
let work: string;
let next: string;

beforeAll(() => {
  mkdirSync(parent, { recursive: true });
  work = mkdtempSync(join(parent, 'run-'));
  next = nextRelease(join(work, 'next'));
});

afterAll(() => rmSync(work, { recursive: true }));

test.concurrent.each(combinations)(
  '$name, with many edits at once, is sound after its upgrade',
  async ({ flags, edits, tests }) => {
    const place = mkdtempSync(join(work, 'project-'));
    const asked = [...flags, '--name', 'acme', '--yes', '--no-install', '--no-git'];
    expect(await runCli(['made', ...asked], { cwd: place })).toMatchObject({ exitCode: 0 });
    const root = join(place, 'made');
    const files = filesOf(root);
    const chosen = editsAtOnce(edits, files);
    const project = teamProject(files);
    for (const edit of chosen) edit.apply(project);
    saveEdits(root, project);
    expect(await problemsAfterUpgrade(root, chosen, { next, tests })).toEqual([]);
  },
);
