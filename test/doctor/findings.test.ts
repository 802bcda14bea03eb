import { renameSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { doctor } from '../support/doctor-says.js';
import { madeProject } from '../support/made-project.js';
import { smallTemplates, templatesWithTwoSecrets } from '../support/small-package.js';

describe('doctor', () => {
  test('finds nothing in a sound project', async () => {
    const project = await madeProject(templatesWithTwoSecrets);
    project.commit();
    expect(await doctor(project)).toMatchObject({ exitCode: 0, problems: [] });
    const { exitCode, stdout } = await project.inside(['doctor']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('ok       secrets          2 in .env, all different.');
    expect(stdout).toContain('Nothing needs to be done.');
  });

  test('edits are counted, and are not a problem', async () => {
    const project = await madeProject();
    project.edit('src/app.ts', (text) => `${text}// mine\n`);
    project.edit('src/list.ts', (text) => text.replace('export', 'export '));
    project.edit('.gitignore', (text) => text.replaceAll('\n', '\r\n'));
    const { exitCode, problems, notes } = await doctor(project);
    expect({ exitCode, problems }).toEqual({ exitCode: 0, problems: [] });
    expect(notes).toEqual(
      expect.arrayContaining([
        'files that upgrades merge: 1 formatted, 1 with other line ends (+1 −1 lines)',
        'files that are yours: 1 edited (+1 −0 lines)',
      ]),
    );
  });

  test('a migration with other line ends is no edited migration', async () => {
    const migration = 'export const up = 1;\n';
    const project = await madeProject({
      ...smallTemplates,
      'base/files/migrations/1_a.ts': migration,
    });
    project.edit('migrations/1_a.ts', (text) => text.replaceAll('\n', '\r\n'));
    const told = async () => (await project.inside(['doctor'])).stdout;
    expect(await told()).toContain('migrations: 1 with other line ends');
    expect(await told()).not.toContain('Databases that ran the old text');
    project.edit('migrations/1_a.ts', (text) => text.replace('1', '2'));
    expect(await told()).toContain('Databases that ran the old text');
  });

  test.skipIf(process.platform === 'win32')(
    'a link in the place of a file is named once',
    async () => {
      const project = await madeProject();
      renameSync(project.at('src/list.ts'), project.at('src/other.ts'));
      symlinkSync('other.ts', project.at('src/list.ts'));
      const { problems } = await doctor(project);
      const sentence = 'src/list.ts is a symbolic link. Links are not followed';
      expect(problems).toEqual([expect.stringMatching(new RegExp(`^edits: ${sentence}`))]);
      const { stderr } = await project.inside(['diff']);
      expect(stderr).toMatch(new RegExp(`^${sentence}`, 'm'));
    },
  );

  test.skipIf(process.platform === 'win32')(
    'a link in the place of a folder is one problem, not one for each file',
    async () => {
      const project = await madeProject();
      renameSync(project.at('src'), project.at('elsewhere'));
      symlinkSync('elsewhere', project.at('src'));
      const { problems } = await doctor(project);
      expect(problems).toEqual([expect.stringMatching(/^edits: src is a symbolic link\./)]);
      const { stderr } = await project.inside(['diff']);
      expect(stderr.match(/symbolic link/g)).toHaveLength(1);
    },
  );

  test('each problem is reported with its remedy', async () => {
    const project = await madeProject();
    project.edit('.env', (text) => text.replace(/^SECRET=.*/m, 'SECRET='));
    const { exitCode, stdout } = await project.inside(['doctor']);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(
      /problem {2}secrets +SECRET is empty in \.env\.\n +Generate another: openssl/,
    );
    expect(stdout).toContain('\n1 problem.\n');
  });

  test('--quiet prints the problems, and nothing else', async () => {
    const project = await madeProject();
    project.edit('src/app.ts', (text) => `${text}// mine\n`);
    expect(await project.inside(['doctor', '--quiet'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
    project.edit('.env', (text) => text.replace(/^SECRET=.*/m, 'SECRET='));
    expect(await project.inside(['doctor', '--quiet'])).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: 'secrets: SECRET is empty in .env.\n  Generate another: openssl rand -hex 32\n',
    });
  });
});
