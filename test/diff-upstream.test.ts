import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from './support/cli.js';
import { type Files, ownFiles, readFiles, writeFiles } from './support/files.js';
import { applyPatch } from './support/git.js';
import { madeProject } from './support/made-project.js';
import { packageWith, smallTemplates } from './support/small-package.js';
import { newerTemplates, upgradableProject } from './support/upgradable.js';

const templates = {
  ...smallTemplates,
  'base/files/src/greet.ts':
    'export const greeting = "good day";\n\n\nexport const polite = true;\n',
};

/** The templates of a later version. */
const later: Files = {
  ...templates,
  'base/files/src/greet.ts': 'export const greeting = "hello";\n\n\nexport const polite = true;\n',
  'base/files/src/app.ts': 'export const app = 2;\n',
  'base/files/src/new.ts': 'export const news = 1;\n',
};

/** A project of the templates before, and the command of the later version in it. */
async function olderProject() {
  const project = await madeProject(templates);
  const bin = packageWith(scratchFolder(), later);
  return { ...project, later: (...args: string[]) => project.inside(args, { bin }) };
}

test('shows what an upgrade would write as a patch that does the same, and what would not follow as a comment', async () => {
  const project = await olderProject();
  project.edit('src/greet.ts', (text) => text.replace('polite = true', 'polite = false'));
  const patched = join(scratchFolder(), 'patched');
  cpSync(project.folder, patched, { recursive: true });
  const { exitCode, stdout, stderr } = await project.later('diff', '--upstream');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('ours    1 merged, 1 added (+2 −1 lines)\n');
  expect(stderr).toContain('src/app.ts: it is yours; the template has changed it');
  expect(stdout).toContain('# +export const app = 2;\n');
  applyPatch(patched, stdout);
  expect((await project.later('upgrade')).exitCode).toBe(0);
  expect(ownFiles(patched)).toEqual(ownFiles(project.folder));
});

test('--check finds that there is something to upgrade, until it was done', async () => {
  const project = await olderProject();
  const unchanged = await project.later('diff', '--upstream', '--check', 'src/list.ts');
  expect(unchanged).toMatchObject({
    exitCode: 0,
    stderr: 'Nothing for src/list.ts.\nFor the rest: npx create-auth-service diff --upstream\n',
  });
  expect((await project.later('diff', '--upstream', '--check')).exitCode).toBe(3);
  await project.later('upgrade');
  const { exitCode, stderr } = await project.later('diff', '--upstream', '--check');
  expect(exitCode).toBe(0);
  expect(stderr).toBe(
    'Held back before, shown as comments:\nsrc/app.ts: the template has changed it; yours was kept\n',
  );
  expect((await project.later('regenerate', 'src/app.ts')).exitCode).toBe(0);
  expect((await project.later('diff', '--upstream')).stderr).toMatch(
    /^Nothing: this project is already at \d+\.\d+\.\d+\.\n$/,
  );
});

test('--json has each file with its patch; a path may name what is not there yet', async () => {
  const project = await olderProject();
  const { stdout } = await project.later(
    'diff',
    '--upstream',
    '--json',
    'src/new.ts',
    'src/app.ts',
  );
  expect(JSON.parse(stdout).files).toMatchObject([
    {
      path: 'src/app.ts',
      outcome: 'kept',
      patch: '',
      keptPatch: expect.stringContaining('+export const app = 2;\n'),
    },
    { path: 'src/new.ts', outcome: 'added', patch: expect.stringContaining('new file mode') },
  ]);
});

test('a moved file leaves its old place, and a text that will lie beside is shown', async () => {
  const project = await upgradableProject();
  writeFiles(project.root, { 'src/fresh/deep/new.ts': 'mine\n' });
  const { stdout, stderr } = await project.run(['diff', '--upstream']);
  expect(stderr).toMatch(/1 beside, .*1 moved/);
  expect(stdout).toContain('+++ b/src/fresh/deep/new.ts.template\n');
  const { files } = JSON.parse((await project.run(['diff', '--upstream', '--json'])).stdout);
  expect(files).toMatchObject([
    { path: 'docs/there.md', from: 'docs/here.md', added: 0, removed: 0 },
    { path: 'package.json' },
    { path: 'src/fresh/deep/new.ts', outcome: 'beside', added: 1, removed: 0 },
    {},
    {},
    {},
  ]);
  const { root: patched } = project.copy();
  applyPatch(patched, stdout);
  await project.run(['upgrade']);
  expect(ownFiles(patched)).toEqual(ownFiles(project.root));
});

test('what the template has changed in a file that it moves is shown as a change, not as a new file', async () => {
  const there = '# Here\n\nText.\n\nMore.\n';
  const newer = { ...newerTemplates, 'base/files/docs/there.md': there };
  const project = await upgradableProject({ newer });
  writeFiles(project.root, { 'docs/here.md': '# Mine\n\nText.\n' });
  const change =
    'diff --git a/docs/here.md b/docs/there.md\nrename from docs/here.md\nrename to docs/there.md\n' +
    '--- a/docs/here.md\n+++ b/docs/there.md\n@@ -1,3 +1,5 @@\n # Mine\n \n Text.\n+\n+More.\n';
  const { root: patched } = project.copy();
  expect((await project.run(['diff', '--upstream', 'docs/there.md'])).stdout).toBe(change);
  const { stdout } = await project.run(['upgrade', '--dry-run', '--diff']);
  expect(stdout).toContain(change);
  expect(stdout).not.toContain('deleted file mode 100644\n--- a/docs');
  applyPatch(patched, stdout);
  await project.run(['upgrade']);
  expect(ownFiles(patched)).toEqual(ownFiles(project.root));
});

test('no file is written', async () => {
  const project = await olderProject();
  writeFiles(project.folder, { 'src/new.ts': 'ours\n' });
  const before = readFiles(project.folder);
  await project.later('diff', '--upstream');
  expect(readFiles(project.folder)).toEqual(before);
});
