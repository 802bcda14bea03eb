import { describe, expect, test } from 'vitest';
import { doctor } from '../support/doctor-says.js';
import { madeProject } from '../support/made-project.js';
import { templatesWithTwoSecrets } from '../support/small-package.js';

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

  test('edits are what a project is for: they are counted, and are no problem', async () => {
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
});
