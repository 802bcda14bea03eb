import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryFolder } from '../scripts/matrix/child.js';
import { differing, fingerprint } from '../scripts/matrix/emit.js';
import { onProcessors } from '../scripts/matrix/processors.js';
import type { Answers } from '../src/answers/schema.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { planFromTemplates } from '../src/plan/plan-from-templates.js';
import type { Plan } from '../src/plan/plan-project.js';
import { openProject } from '../src/project/open-project.js';
import { allEdits } from './corpus/all-edits.js';
import { withTable } from './corpus/corpus-table.js';
import { changesCode, groupsOf } from './corpus/edits-at-once.js';
import { linkedCopy } from './corpus/linked-copy.js';
import { problemsAfterUpgrade } from './corpus/merged-project.js';
import { nextRelease, nextVersion } from './corpus/next-release.js';
import { faultsOf, pendingOf } from './corpus/team-edit.js';
import { filesOf, saveEdits, teamProject } from './corpus/team-project.js';
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
// Within this repository, whose packages the projects need.
const parent = join(repositoryFolder, 'playground/corpus');
const quickTests = ['src/users', 'src/mail'];
let work: string;
let emitted: string;
let files: Files;
let inMemory: InMemoryProject;
let next: string;
let nextPlan: Plan;

beforeAll(async () => {
  mkdirSync(parent, { recursive: true });
  work = mkdtempSync(join(parent, 'run-'));
  next = nextRelease(join(work, 'next'));
  const flags = ['--name', 'acme', '--yes', '--no-install', '--no-git', '--quiet'];
  expect(await runCli(['emitted', ...flags], { cwd: work })).toMatchObject({ exitCode: 0 });
  emitted = join(work, 'emitted');
  files = filesOf(emitted);
  const answers = openProject(emitted).manifest.answers as Answers;
  const catalog = (templates: string) => readCatalog(join(templates, 'templates'));
  inMemory = projectOf(await planFromTemplates(catalog(repositoryFolder), answers));
  const plan = await planFromTemplates(catalog(join(next, '../..')), answers);
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

  test('with many edits is upgraded by the command, and sound', async () => {
    const before = fingerprint(emitted);
    const groups = groupsOf(
      allEdits.filter((edit) => changesCode(edit, files)),
      files,
    );
    const trials = groups.map((edits, index) =>
      onProcessors(1, () => {
        const root = join(work, `group-${index}`);
        linkedCopy(emitted, root);
        const project = teamProject(files);
        for (const edit of edits) edit.apply(project);
        saveEdits(root, project);
        return problemsAfterUpgrade(root, edits, { next, tests: index === 0 ? quickTests : [] });
      }),
    );
    expect((await Promise.all(trials)).flat()).toEqual([]);
    expect(differing(before, fingerprint(emitted))).toEqual([]);
  });
});

test('docs/upgrade.md has the table of these edits', () => {
  const page = readFileSync(join(repositoryFolder, 'docs/upgrade.md'), 'utf8');
  expect(withTable(page)).toBe(page);
});
