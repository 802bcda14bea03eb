import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { holderText } from '../../src/project/changes/holder.js';
import { openProject } from '../../src/project/open-project.js';
import { renewManifest } from '../../src/project/repair.js';
import { breakingAt } from '../support/broken-run.js';
import { scratchFolder } from '../support/cli.js';
import { doctor } from '../support/doctor-says.js';
import { readFiles, writeFiles } from '../support/files.js';
import { madeProject } from '../support/made-project.js';
import { forged, losePristine, packFile } from '../support/pristine-texts.js';

describe('doctor and the record', () => {
  const manifest = '.create-auth-service/manifest.json';
  const merged =
    'record: The manifest was changed by hand, or merged by git: its checksum does not match.';

  test('a manifest that does not fit its checksum is renewed by --fix if every pristine text fits it', async () => {
    const project = await madeProject();
    const before = project.read(manifest);
    // As git leaves it after a merge of two branches.
    project.edit(manifest, (text) => text.replace(/"checksum": "[^"]*"/, '"checksum": "0"'));
    expect((await doctor(project)).problems).toEqual([merged]);
    expect(await doctor(project, ['--fix'])).toMatchObject({ exitCode: 0, problems: [] });
    expect(project.read(manifest)).toBe(before);
    expect((await doctor(project)).problems).toEqual([]);
  });

  test.each<[string, RegExp, string, string]>([
    ['without a line', /^.*"src\/app\.ts".*\n/m, '', 'It does not name src/app.ts, whose prist'],
    ['with another framework', /"plain"/, '"rich"', 'do not agree on rich, plain.'],
    ['with a feature less', /"guests",/, '', 'do not agree on guests.'],
    ['with a database that excludes a method', /"lake"/, '"river"', 'are not valid: knock and'],
    ['with another owner', /"yours"/, '"ours"', 'do not agree on src/app.ts.'],
    ['with a line less in both', /^.*"src\/app\.ts".*\n/m, '', 'do not agree on src/app.ts.'],
  ])('a manifest %s is not renewed', async (what, pattern, text, why) => {
    const project = await madeProject();
    project.edit(manifest, (before) => before.replace(pattern, text));
    if (what.endsWith('both')) losePristine(project.folder, 'src/app.ts');
    const before = [project.read(manifest), project.read(packFile)];
    const { exitCode, problems, stdout } = await doctor(project, ['--fix']);
    expect({ exitCode, problems }).toEqual({ exitCode: 3, problems: [merged] });
    expect(stdout).toContain(why);
    expect(stdout).toContain('Restore all of .create-auth-service/ from a backup.');
    expect([project.read(manifest), project.read(packFile)]).toEqual(before);
  });

  test('what --fix has restored is counted, and advice about git is given where there is git', async () => {
    const project = await madeProject();
    project.edit(packFile, () => '');
    const { stdout } = await project.inside(['doctor', '--fix']);
    expect(stdout).toMatch(/fixed +\d+ pristine texts are restored\.\n/);
    project.edit('src/app.ts', (text) => `${text}mine();\n`);
    project.edit(packFile, () => '');
    project.edit(manifest, (text) => text.replace(/"version": "[^"]*"/, '"version": "0.0.1"'));
    const { stdout: lost } = await project.inside(['doctor', '--fix']);
    expect(lost).toMatch(/fixed +\d+ pristine texts are restored; 1 could not be found\.\n/);
    expect(lost).toContain('is missing or was changed: src/app.ts');
    expect(lost).toContain('restore the rest from a backup\n');
    expect(project.read(packFile)).toContain('src/list.ts\t');
    project.commit();
    expect((await project.inside(['doctor'])).stdout).toContain(
      'restore the rest from the previous commit: git checkout <commit> -- ',
    );
  });

  // The steps before are those of the lock.
  test.each([8, 9, 10])(
    '--fix that cannot write, at step %s, says so and leaves nothing',
    async (step) => {
      const project = await madeProject();
      project.edit(packFile, () => '');
      const before = readFiles(project.folder);
      const env = breakingAt(step, 'fail');
      const { exitCode, stderr } = await project.inside(['doctor', '--fix', '--no-run'], { env });
      expect(stderr).toContain(`${packFile} could not be written (ENOSPC). Nothing was changed.`);
      expect(exitCode).toBe(1);
      expect(readFiles(project.folder)).toEqual(before);
    },
  );

  test('--fix leaves a project alone that another run is changing', async () => {
    const project = await madeProject();
    project.edit(packFile, () => '');
    const lock = '.create-auth-service/work/lock-1';
    writeFiles(project.folder, { [lock]: holderText('0123456789abcdef') });
    const { exitCode, stderr } = await project.inside(['doctor', '--fix', '--no-run']);
    expect(stderr).toContain('Another create-auth-service is changing this project.');
    expect(exitCode).toBe(1);
    expect(project.read(packFile)).toBe('');
  });

  test('what it renews is not written through a link', async () => {
    const project = await madeProject();
    const outside = join(scratchFolder(), 'outside');
    writeFileSync(outside, 'mine\n');
    symlinkSync(outside, join(project.folder, `${manifest}.${process.pid}.tmp`));
    renewManifest(openProject(project.folder));
    expect(readFileSync(outside, 'utf8')).toBe('mine\n');
  });

  test.each<[string, (pack: string) => string]>([
    ['blanks for tabs', (pack) => pack.replaceAll('\t', '    ')],
    ['other line ends', (pack) => pack.replaceAll('\n', '\r\n')],
    ['lines of 80 characters', (pack) => pack.replace(/.{80}/g, '$&\n')],
    ['nothing', () => ''],
  ])(
    'pristine texts that a formatter has rewritten, to %s, are restored by --fix',
    async (_, formatted) => {
      const project = await madeProject();
      const before = project.read(packFile);
      project.edit('src/app.ts', (text) => `${text}mine();\n`);
      project.edit(packFile, formatted);
      const { exitCode, problems } = await doctor(project, ['--fix']);
      expect({ exitCode, problems }).toEqual({ exitCode: 0, problems: [] });
      expect(project.read(packFile)).toBe(before);
    },
  );

  test('it is not renewed over a pristine text that does not fit', async () => {
    const project = await madeProject();
    project.edit(manifest, (text) => text.replace('"lake"', '"river"'));
    project.edit(packFile, (text) => forged(text, 'src/app.ts'));
    project.edit('src/app.ts', (text) => `${text}mine();\n`);
    project.edit(manifest, (text) => text.replace(/"version": "[^"]*"/, '"version": "0.0.1"'));
    const { exitCode, problems } = await doctor(project, ['--fix']);
    expect(exitCode).toBe(3);
    expect(problems).toEqual([
      merged,
      'record: The pristine text is missing or was changed: src/app.ts',
    ]);
  });

  test('what waits to be resolved is a problem', async () => {
    const project = await madeProject();
    project.edit(manifest, (text) => text.replace('"pending": []', '"pending": ["src/app.ts"]'));
    const { exitCode, problems } = await doctor(project, ['--fix']);
    expect(exitCode).toBe(3);
    expect(problems).toEqual(['upgrade: Pending: src/app.ts']);
  });

  test('a run that was killed half-way is a problem until it was put back', async () => {
    const project = await madeProject();
    const lists = { entries: [], madeFolders: [], leftFolders: [], nextSteps: [], index: [] };
    const title = 'Upgrade';
    const journal = { schema: 1, state: 'replacing', token: '0123456789abcdef', title, ...lists };
    const path = '.create-auth-service/work/journal.json';
    writeFiles(project.folder, { [path]: JSON.stringify(journal) });
    expect((await doctor(project)).problems).toEqual([
      'upgrade: A run was killed half-way: some files are changed, others are not.',
    ]);
    await project.inside(['upgrade', '--abort']);
    expect((await doctor(project)).problems).toEqual([]);
  });

  test.each([
    ['99.0.0', 3],
    ['0.0.1', 0],
  ])('a project made by %s', async (version, exitCode) => {
    const project = await madeProject();
    project.edit(manifest, (text) => text.replace(/"version": "[^"]*"/, `"version": "${version}"`));
    expect(await doctor(project, ['--fix'])).toMatchObject({ exitCode });
  });
});
