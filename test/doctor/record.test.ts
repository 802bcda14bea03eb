import { describe, expect, test } from 'vitest';
import { doctor } from '../support/doctor-says.js';
import { writeFiles } from '../support/files.js';
import { madeProject } from '../support/made-project.js';
import { forged, packFile } from '../support/pristine-texts.js';

describe('doctor and the record', () => {
  const manifest = '.create-auth-service/manifest.json';
  const merged =
    'record: The manifest was changed by hand, or merged by git: its checksum does not match.';

  test('a manifest that does not fit its checksum is renewed by --fix if every pristine text fits it', async () => {
    const project = await madeProject();
    project.edit(manifest, (text) => text.replace('"lake"', '"river"'));
    expect((await doctor(project)).problems).toEqual([merged]);
    expect(await doctor(project, ['--fix'])).toMatchObject({ exitCode: 0, problems: [] });
    expect(project.read(manifest)).toContain('"river"');
    expect((await doctor(project)).problems).toEqual([]);
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

  test('texts that are lost are named, the others restored', async () => {
    const project = await madeProject();
    project.edit('src/app.ts', (text) => `${text}mine();\n`);
    project.edit(packFile, () => '');
    const older = (text: string) => text.replace(/"version": "[^"]*"/, '"version": "0.0.1"');
    project.edit(manifest, older);
    const { stdout } = await project.inside(['doctor', '--fix']);
    expect(stdout).toContain('is missing or was changed: src/app.ts');
    expect(project.read(packFile)).toContain('src/list.ts\t');
  });

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
    writeFiles(project.folder, {
      '.create-auth-service/work/journal.json': JSON.stringify(journal),
      '.create-auth-service/work/before.bin': '',
    });
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
