import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { doctor } from '../support/doctor-says.js';
import { type MadeProject, madeProject } from '../support/made-project.js';
import { templatesWithTwoSecrets } from '../support/small-package.js';

describe('doctor and secrets', () => {
  const random = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

  test.each([
    ['', 'SECRET is empty in .env.'],
    ['9f86d081884c7d65', 'SECRET is weak: it has fewer than 32 bytes.'],
    [`change-me-${random}`, 'SECRET is weak: it looks like an example.'],
    ['changeme', 'SECRET is weak: it is a placeholder.'],
    ['<paste the key of 32 bytes or more here>', 'SECRET is weak: it is a placeholder.'],
    ['ab'.repeat(20), 'SECRET is weak: it has too few different characters.'],
    [random.slice(0, 20).repeat(2), 'SECRET is weak: it repeats itself.'],
    [`${random},short`, 'SECRET is weak: it has fewer than 32 bytes.'],
  ])('%j', async (value, message) => {
    const project = await madeProject();
    project.edit('.env', (text) => text.replace(/^SECRET=.*/m, `SECRET=${value}`));
    const { exitCode, problems, stdout } = await doctor(project);
    expect({ exitCode, problems }).toEqual({ exitCode: 3, problems: [`secrets: ${message}`] });
    if (value !== '') expect(stdout).not.toContain(value);
  });

  test('one without a line in .env is missing, and the remedy adds it', async () => {
    const project = await madeProject();
    // An editor may leave out the newline at the end.
    project.edit('.env', (text) => `${text.replace(/^SECRET=.*\n/m, '')}LAST=1`);
    const { exitCode, stdout } = await project.inside(['doctor']);
    expect(exitCode).toBe(3);
    const [, remedy = ''] = /SECRET is missing from \.env\.\n +(.* >> \.env)\n/.exec(stdout) ?? [];
    execFileSync('sh', ['-c', remedy], { cwd: project.folder });
    expect(project.read('.env')).toMatch(/^LAST=1\nSECRET=[0-9a-f]{64}\n$/m);
  });

  test('one that .env.example names twice is missing once', async () => {
    const project = await madeProject();
    project.edit('.env.example', (text) => text + text);
    project.edit('.env', (text) => text.replace(/^SECRET=.*\n/m, ''));
    expect((await doctor(project)).problems).toEqual(['secrets: SECRET is missing from .env.']);
  });

  test.each<[string, string, string, (project: MadeProject) => void]>([
    [
      'renamed',
      'env.sample',
      'cp env.sample .env',
      ({ at }) => renameSync(at('.env.example'), at('env.sample')),
    ],
    [
      'deleted',
      'the emitted .env.example',
      'npx create-auth-service regenerate .env.example && cp .env.example .env',
      ({ at }) => rmSync(at('.env.example')),
    ],
  ])('a %s .env.example still says which secrets there are', async (_, named, copy, change) => {
    const project = await madeProject(templatesWithTwoSecrets);
    change(project);
    const { problems, stdout } = await doctor(project);
    expect(problems).toEqual([]);
    expect(stdout).toContain(`All in .env are in ${named}.`);
    project.edit('.env', (text) => text.replace(/SECRET=.*/g, 'SECRET=short'));
    expect((await doctor(project)).problems).toEqual([
      'secrets: SECRET is weak: it has fewer than 32 bytes.',
      'secrets: WORD_SECRET is weak: it has fewer than 32 bytes.',
      'secrets: SECRET and WORD_SECRET share a secret.',
    ]);
    rmSync(project.at('.env'));
    const without = await doctor(project);
    expect(without.problems).toEqual([
      'secrets: There is no .env, and the environment has no SECRET, WORD_SECRET.',
    ]);
    expect(without.stdout).toContain(`"${copy} && chmod 600 .env, then fill in`);
  });

  test('without .env the environment has to have them', async () => {
    const project = await madeProject();
    rmSync(project.at('.env'));
    expect((await doctor(project)).problems).toEqual([
      'secrets: There is no .env, and the environment has no SECRET.',
    ]);
    expect((await doctor(project, [], { env: { SECRET: random } })).problems).toEqual([]);
  });

  test('a link or a folder in the place of .env is named, and nothing is to be copied over it', async () => {
    const project = await madeProject();
    renameSync(project.at('.env'), project.at('../shared.env'));
    symlinkSync('../shared.env', project.at('.env'));
    const linked = await doctor(project, ['--fix']);
    expect(linked.problems).toEqual([]);
    expect(linked.notes).toContain(
      '.env is a symbolic link, which is not read here: its secrets were not checked.',
    );
    rmSync(project.at('.env'));
    mkdirSync(project.at('.env'));
    const { problems, stdout } = await doctor(project);
    expect(problems).toEqual(['secrets: .env is a folder, and the environment has no SECRET.']);
    expect(linked.stdout + stdout).not.toContain('cp .env.example');
  });

  test.skipIf(process.platform === 'win32')(
    '--fix makes .env readable for its owner only',
    async () => {
      const project = await madeProject();
      chmodSync(project.at('.env'), 0o644);
      expect((await doctor(project)).problems).toEqual([
        'secrets: .env can be read by other users of this machine (mode 644).',
      ]);
      expect((await doctor(project, ['--fix'])).problems).toEqual([]);
      expect(statSync(project.at('.env')).mode & 0o777).toBe(0o600);
    },
  );

  test('a value that was never filled in is a problem', async () => {
    const project = await madeProject();
    project.edit('.env', (text) => text.replace(/PORT=.*/, 'PORT=<your port>'));
    expect((await doctor(project)).problems).toEqual([
      'variables: PORT in .env holds a placeholder.',
    ]);
  });

  test('a variable that nothing reads may be a typing error', async () => {
    const project = await madeProject();
    project.edit('.env', (text) => text.replace('PORT=', 'PROT='));
    const { exitCode, notes } = await doctor(project);
    expect(exitCode).toBe(0);
    expect(notes).toContain('PROT is in .env, but not in .env.example. Did you mean PORT?');
  });
});
