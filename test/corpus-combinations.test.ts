import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryFolder } from '../scripts/matrix/child.js';
import { unpackRelease } from '../scripts/release/package-archive.js';
import { combinations } from './corpus/combinations.js';
import { editsAtOnce } from './corpus/edits-at-once.js';
import { linkedCopy } from './corpus/linked-copy.js';
import { problemsAfterUpgrades } from './corpus/merged-project.js';
import { nextRelease } from './corpus/next-release.js';
import { teamProject } from './corpus/team-project.js';
import { binFile, runCli } from './support/cli.js';

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

test.each(combinations)(
  '$name, with many edits at once, is sound after its upgrades',
  async ({ release, flags, edits, tests }) => {
    const place = mkdtempSync(join(work, 'project-'));
    const bin = release ? unpackRelease(release, join(place, 'package')) : binFile;
    const asked = [...flags, '--name', 'acme', '--yes', '--no-install', '--no-git'];
    const made = await runCli(['emitted', ...asked], { cwd: place, bin });
    expect(made).toMatchObject({ exitCode: 0 });
    const emitted = join(place, 'emitted');
    const chosen = editsAtOnce(edits, emitted, join(place, 'scratch'));
    const root = join(place, 'edited');
    linkedCopy(emitted, root);
    const project = teamProject(root);
    for (const edit of chosen) edit.apply(project);
    expect(await problemsAfterUpgrades(root, chosen, { next, tests })).toEqual([]);
  },
);
