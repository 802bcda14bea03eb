import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { doctor } from '../support/doctor-says.js';
import { writeFiles } from '../support/files.js';
import { type MadeProject, madeProject } from '../support/made-project.js';

describe('doctor and what runs the project', () => {
  test('Node, dependencies and lock files are held against package.json', async () => {
    const project = await madeProject();
    project.edit('package.json', (text) =>
      JSON.stringify({
        ...JSON.parse(text),
        engines: { node: '>=99' },
        dependencies: { 'no-such': '1' },
      }),
    );
    writeFileSync(project.at('yarn.lock'), '');
    const { problems, notes } = await doctor(project);
    expect(problems).toEqual([
      `node: ${process.versions.node} does not satisfy >=99, which package.json requires.`,
      'dependencies: 1 of 1 are not installed: no-such',
    ]);
    expect(notes).toContain('yarn.lock of another package manager; this project was made for npm.');
  });

  test.each(['node_modules/no-such/package.json', '.pnp.cjs'])(
    'packages that a workspace has above the project, in %s, are installed',
    async (path) => {
      const project = await madeProject();
      project.edit('package.json', (text) =>
        JSON.stringify({ ...JSON.parse(text), dependencies: { 'no-such': '1' } }),
      );
      writeFiles(project.cwd, { [path]: '{}' });
      expect((await doctor(project)).problems).toEqual([]);
    },
  );

  test.each([
    ['with a comment', '{ // mine\n}\n'],
    ['that is empty', ''],
    ['of another kind', '[]\n'],
  ])('a package.json %s', async (_, text) => {
    const project = await madeProject();
    writeFileSync(project.at('package.json'), text);
    const { problems, stdout } = await doctor(project);
    expect(problems).toEqual([
      'package.json: It is missing, or is not JSON: comments and commas at the end are not allowed there.',
    ]);
    expect(stdout).not.toContain('are installed');
    expect(stdout).not.toContain('no script');
  });

  test('each finding of the service names the command that fixes it', async () => {
    const project = await madeProject();
    const [about, message] = ['migrations', '1 pending'];
    const findings = JSON.stringify({ findings: [{ about, stops: true, message }] });
    writeFileSync(project.at('check.cjs'), `console.log('${findings}');\n`);
    withCheck(project, 'node check.cjs');
    const { problems, stdout } = await doctor(project);
    expect(problems).toEqual(['migrations: 1 pending']);
    expect(stdout).toContain('"remedy": "npm run migrate"');
  });

  test('a secret is reported once, although the service refuses it too', async () => {
    const project = await madeProject();
    project.edit('.env', (text) => text.replace(/^SECRET=.*/m, 'SECRET=changeme'));
    const findings = ['SECRET must have at least 32 bytes', 'PORT must be a number'].map(
      (message) => ({ about: 'configuration', stops: true, message }),
    );
    writeFileSync(
      project.at('check.cjs'),
      `console.log(${JSON.stringify(JSON.stringify({ findings }))});\n`,
    );
    withCheck(project, 'node check.cjs');
    expect((await doctor(project)).problems).toEqual([
      'secrets: SECRET is weak: it is a placeholder.',
      'configuration: PORT must be a number',
    ]);
  });

  test('a package manager that is not there', async () => {
    const project = await madeProject();
    withCheck(project, 'echo broken');
    const { problems, notes } = await doctor(project, [], { env: { PATH: project.folder } });
    expect(problems).toContain('package manager: npm is not installed.');
    expect(problems.join()).not.toContain('service: ');
    expect(notes).toContain('Variables and database were not checked: npm is not installed.');
  });

  test('a service whose packages are not installed is reported once', async () => {
    const project = await madeProject();
    withCheck(project, 'no-such-program', { dependencies: { 'no-such': '1' } });
    const { problems, notes } = await doctor(project);
    expect(problems).toEqual(['dependencies: 1 of 1 are not installed: no-such']);
    expect(notes).toContain('Variables and database were not checked: packages are missing.');
  });

  test('a service that fails although all is installed does not answer', async () => {
    const project = await madeProject();
    withCheck(project, 'echo broken');
    const [problem] = (await doctor(project)).problems;
    expect(problem).toContain('service: "check" does not answer:');
    expect(problem).toContain('broken');
  });

  test('a service that never answers is ended with all that it has started', async () => {
    const project = await madeProject();
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const left = new Promise((resolve) => {
      server.once('connection', (socket) => socket.on('error', resolve).on('close', resolve));
    });
    const { port } = server.address() as AddressInfo;
    const wait = `require('node:net').connect(${port}, '127.0.0.1');\n`;
    writeFileSync(project.at('wait.cjs'), wait);
    withCheck(project, 'node wait.cjs');
    const { exitCode, problems } = await doctor(project, ['--wait', '8']);
    expect({ exitCode, problems }).toEqual({
      exitCode: 3,
      problems: ['service: "check" did not answer within 8 seconds and was stopped.'],
    });
    await left;
  });

  test.each(['0', 'long', '1.5'])('--wait %s is refused', async (seconds) => {
    const project = await madeProject();
    const { exitCode, stderr } = await project.inside(['doctor', '--wait', seconds]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining('Give a whole number of seconds.'),
    });
  });
});

/** Gives package.json a script "check", and more. */
function withCheck(project: MadeProject, check: string, more: object = {}): void {
  project.edit('package.json', (text) =>
    JSON.stringify({ ...JSON.parse(text), ...more, scripts: { check } }),
  );
}
