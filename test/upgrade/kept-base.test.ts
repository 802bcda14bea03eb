import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/cli.js';
import { readFiles, readTree, writeFiles } from '../support/files.js';
import { packFile, pristineTexts } from '../support/pristine-texts.js';
import { layer, packageWith } from '../support/small-package.js';
import { newerTemplates, olderTemplates, upgradableProject } from '../support/upgradable.js';

const app = 'src/app.ts';
const migration = 'migrations/20260101_users.ts';
const older = { ...olderTemplates, [`base/files/${migration}`]: 'export const up = 1;\n' };
const newer = {
  ...newerTemplates,
  'base/files/src/app.ts': 'export const app = 2;\n',
  [`base/files/${migration}`]: 'export const up = 2;\n',
};

/** A project whose template of a file of the team, and of a migration, has changed in the newer release. */
async function upgraded(edits: Record<string, string> = {}) {
  const project = await upgradableProject({ older, newer });
  writeFiles(project.root, edits);
  const { stdout } = await project.run(['upgrade']);
  const said = async (...args: string[]) => {
    const ended = await project.run(args);
    return `${ended.exitCode} ${ended.stdout}${ended.stderr}`;
  };
  return { ...project, told: stdout, said };
}

test('an unedited file does not count as edited because its template has changed', async () => {
  const { told, said, root } = await upgraded();
  expect(told).toContain(`${app}: it is yours; the template has changed it`);
  expect(told).toContain(`${migration}: migrations are never changed`);
  expect(await said('diff', '--check')).toBe('0 Nothing differs from what was emitted.\n');
  expect(await said('doctor', '--no-run')).toMatch(/ None in \d+ files/);
  expect(pristineTexts(readFiles(root)[packFile])[app]).toBe('export const app = 1;\n');
});

test('what the team has edited is compared with what it was given', async () => {
  const { said } = await upgraded({ [app]: 'export const app = 1;\nmine();\n' });
  const patch = await said('diff', '--check', app);
  expect(patch.split('\n').filter((line) => /^[+-]\w/.test(line))).toEqual(['+mine();']);
});

test('each text of the template is reported once', async () => {
  const { said, root, run } = await upgraded();
  const before = readTree(root);
  expect(await said('upgrade')).toBe('0 Nothing to do.\n');
  expect(await said('diff', '--upstream')).toContain(
    `${app}: the template has changed it; yours was kept`,
  );
  expect(readTree(root)).toEqual(before);
  const third = { ...newer, 'base/files/src/app.ts': 'export const app = 3;\n' };
  const bin = packageWith(scratchFolder(), third, '100.0.0');
  const shown = (await run(['diff', '--upstream'], { bin })).stdout;
  expect(shown).toContain('# -export const app = 1;\n# +export const app = 3;\n');
  expect(shown).toContain(`# ${migration}: the template has changed it; yours was kept`);
  expect((await run(['upgrade'], { bin })).stdout).toContain(`${app}: it is yours`);
  expect((await run(['upgrade'], { bin })).stdout).toBe('Nothing to do.\n');
});

test('regenerate writes the reported text, which then is no edit either', async () => {
  const { said, root, bins, run } = await upgraded({ [app]: 'mine\n' });
  const bin = packageWith(scratchFolder(), newer, '100.0.0');
  for (const _ of ['edited', 'as it was given']) {
    const { stdout } = await run(['regenerate', app], { bin });
    expect(stdout).toContain('the text that you were given; for the newer one, upgrade');
  }
  expect(await said('regenerate', app)).toContain(app);
  expect(readFiles(root)[app]).toBe('export const app = 2;\n');
  expect(await said('diff', '--check', app)).toMatch(/^0 Nothing/);
  expect(await said('doctor', '--no-run')).toMatch(/The pristine texts of \d+ files are there/);
  expect(await said('regenerate', app)).toBe('0 Nothing to do.\n');
  expect((await run(['regenerate', app], { bin: bins.older })).exitCode).toBe(1);
});

test('what the team has taken over by hand is no edit', async () => {
  const { said, root } = await upgraded();
  writeFiles(root, { [app]: 'export const app = 2;\n' });
  expect(await said('diff', '--check')).toBe('0 Nothing differs from what was emitted.\n');
});

test('the text that was given moves with the file', async () => {
  const { root, run } = await upgraded();
  const moved = {
    ...Object.fromEntries(Object.entries(newer).filter(([path]) => !path.endsWith(app))),
    ...layer('base', {
      title: 'Base',
      group: 'base',
      yours: ['src/own.ts'],
      renamed: { 'docs/there.md': 'docs/here.md', 'src/own.ts': app },
      removed: ['src/old/gone.ts'],
    }),
    'base/files/src/own.ts': 'export const app = 3;\n',
  };
  const bin = packageWith(join(scratchFolder(), 'third'), moved, '100.0.0');
  expect((await run(['upgrade'], { bin })).stdout).toContain(`${app} → src/own.ts`);
  const files = readFiles(root);
  expect(files['src/own.ts']).toBe('export const app = 1;\n');
  expect(pristineTexts(files[packFile])['src/own.ts']).toBe('export const app = 1;\n');
  expect((await run(['diff', '--check'], { bin })).exitCode).toBe(0);
});

test('other answers bring a newer text into a file that nobody has edited', async () => {
  const withGuests = { 'features/guests/files/src/guests.ts': 'export const guests = 1;\n' };
  const project = await upgradableProject({
    older: { ...older, ...withGuests },
    newer: {
      ...newer,
      ...withGuests,
      ...layer('features/guests', {
        title: 'Guests',
        group: 'feature',
        default: true,
        requires: ['word'],
        replaces: [app],
      }),
      'features/guests/files/src/app.ts': 'export const app = "guests";\n',
    },
  });
  await project.run(['upgrade']);
  expect(readFiles(project.root)[app]).toBe('export const app = 1;\n');
  expect((await project.run(['remove', 'guests'])).exitCode).toBe(0);
  expect(readFiles(project.root)[app]).toBe('export const app = 2;\n');
  expect((await project.run(['diff', '--check'])).exitCode).toBe(0);
});
