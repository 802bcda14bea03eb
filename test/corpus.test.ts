import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryFolder } from '../scripts/matrix/child.js';
import type { Answers } from '../src/answers/questions.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { type Plan, planFromTemplates } from '../src/plan/plan-project.js';
import { openProject } from '../src/project/open-project.js';
import { allEdits } from './corpus/all-edits.js';
import { withTable } from './corpus/corpus-table.js';
import { nextRelease, nextVersion } from './corpus/next-release.js';
import { faultsOf, pendingOf } from './corpus/team-edit.js';
import { filesOf, teamProject } from './corpus/team-project.js';
import { runCli } from './support/cli.js';
import type { Files } from './support/files.js';
import {
  applied,
  edited,
  type InMemoryProject,
  projectOf,
  textAt,
  upgradeToPlan,
} from './support/in-memory-project.js';

/** A project of this version with everything, and the release after it. */
let work: string;
let files: Files;
let inMemory: InMemoryProject;
let nextPlan: Plan;

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'create-auth-service-corpus-'));
  const next = nextRelease(join(work, 'next'));
  const flags = ['--name', 'acme', '--yes', '--no-install', '--no-git', '--quiet'];
  expect(await runCli(['emitted', ...flags], { cwd: work })).toMatchObject({ exitCode: 0 });
  const emitted = join(work, 'emitted');
  files = filesOf(emitted);
  const answers = openProject(emitted).manifest.answers as Answers;
  const catalog = (templates: string) => readCatalog(join(templates, 'templates'));
  inMemory = projectOf(planFromTemplates(catalog(repositoryFolder), answers));
  const plan = planFromTemplates(catalog(join(next, '../..')), answers);
  nextPlan = { ...plan, version: nextVersion };
});

afterAll(() => rmSync(work, { recursive: true }));

describe('a project', () => {
  test.each(allEdits)('whose team $team, where the template: $template', async (edit) => {
    const project = teamProject(files);
    edit.apply(project);
    const before = edited(inMemory, project.edits());
    const plan = await upgradeToPlan(before, nextPlan);
    const outcomes = plan.outcomes.map(({ path, outcome }) => [path, outcome]);
    expect(Object.fromEntries(outcomes)).toMatchObject(edit.outcomes);
    expect(plan.pending).toEqual(pendingOf(edit));
    const after = applied(before, plan);
    expect(faultsOf(edit, (path) => textAt(after, path))).toEqual([]);
  });
});

test('docs/upgrade.md has the table of these edits', async () => {
  const page = join(repositoryFolder, 'docs/upgrade.md');
  await expect(withTable(readFileSync(page, 'utf8'))).toMatchFileSnapshot(page);
});
