import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CliOptions } from './support/cli.js';
import { writeFiles } from './support/files.js';
import { type MadeProject, madeProject } from './support/made-project.js';
import { smallTemplates } from './support/small-package.js';

const twoSecrets = {
  ...smallTemplates,
  'features/word/env.example': '# Signs words.\n# secret: hex32\nWORD_SECRET=\n',
};

interface Told {
  severity: string;
  about: string;
  message: string;
  remedy?: string;
}

/** What `doctor` says but for what is in order. */
async function doctor(
  { inside }: MadeProject,
  args: string[] = [],
  options: Partial<CliOptions> = {},
) {
  const { exitCode, stdout } = await inside(['doctor', '--json', ...args], options);
  const findings: Told[] = JSON.parse(stdout).findings;
  return {
    exitCode,
    stdout,
    problems: findings
      .filter(({ severity }) => severity === 'problem')
      .map(({ about, message }) => `${about}: ${message}`),
    notes: findings.filter(({ severity }) => severity === 'note').map(({ message }) => message),
  };
}

describe('doctor', () => {
  test('finds nothing in a sound project', async () => {
    const project = await madeProject(twoSecrets);
    project.commit();
    expect(await doctor(project)).toMatchObject({ exitCode: 0, problems: [] });
    const { exitCode, stdout } = await project.inside(['doctor']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('ok       secrets          2 in .env, each its own.');
    expect(stdout).toContain('Nothing that would have to be done.');
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
        'files that upgrades merge: 1 edited, 1 with other line ends (+1 −1 lines)',
        'files that are yours: 1 edited (+1 −0 lines)',
      ]),
    );
  });

  test('each problem is told with its remedy', async () => {
    const project = await madeProject();
    project.edit('.env', (text) => text.replace(/^SECRET=.*/m, 'SECRET='));
    const { exitCode, stdout } = await project.inside(['doctor']);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(
      /problem {2}secrets +SECRET is empty in \.env\.\n +Draw another: openssl/,
    );
    expect(stdout).toContain('\n1 problem.\n');
  });
});

describe('doctor and secrets', () => {
  const random = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

  test.each([
    ['', 'SECRET is empty in .env.'],
    ['9f86d081884c7d65', 'SECRET is weak: it has less than 32 bytes.'],
    [`change-me-${random}`, 'SECRET is weak: it looks like an example.'],
    ['ab'.repeat(20), 'SECRET is weak: it has too few different characters.'],
    [random.slice(0, 20).repeat(2), 'SECRET is weak: it repeats itself.'],
    [`${random},short`, 'SECRET is weak: it has less than 32 bytes.'],
  ])('%j', async (value, message) => {
    const project = await madeProject();
    project.edit('.env', (text) => text.replace(/^SECRET=.*/m, `SECRET=${value}`));
    const { exitCode, problems, stdout } = await doctor(project);
    expect({ exitCode, problems }).toEqual({ exitCode: 3, problems: [`secrets: ${message}`] });
    if (value !== '') expect(stdout).not.toContain(value);
  });

  test('two that are equal are none', async () => {
    const project = await madeProject(twoSecrets);
    project.edit('.env', (text) => text.replace(/SECRET=.*/g, `SECRET=${random}`));
    expect((await doctor(project)).problems).toEqual([
      'secrets: SECRET and WORD_SECRET share a secret.',
    ]);
  });

  test('without .env the environment has to have them', async () => {
    const project = await madeProject();
    rmSync(project.at('.env'));
    expect((await doctor(project)).problems).toEqual([
      'secrets: There is no .env, and the environment has no SECRET.',
    ]);
    expect((await doctor(project, [], { env: { SECRET: random } })).problems).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')(
    'whoever else can read .env is shut out by --fix',
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

  test('a variable that nobody reads may be a slip', async () => {
    const project = await madeProject();
    project.edit('.env', (text) => text.replace('PORT=', 'PROT='));
    const { exitCode, notes } = await doctor(project);
    expect(exitCode).toBe(0);
    expect(notes).toContain('PROT is in .env, but not in .env.example. Is PORT meant?');
  });
});

describe('doctor and git', () => {
  test('secrets that git keeps are told, wherever they stand', async () => {
    const project = await madeProject();
    const secret = /^SECRET=(.*)$/m.exec(project.read('.env'))?.[1] ?? '';
    writeFileSync(project.at('deploy.yaml'), `SECRET: ${secret}\n`);
    const git = project.commit();
    const places = 'git: Secrets of .env stand in files that git keeps: SECRET in deploy.yaml';
    expect((await doctor(project)).problems).toEqual([places]);
    rmSync(project.at('deploy.yaml'));
    git('add', '--force', '--all', '.', '.env');
    const [committed] = (await doctor(project)).problems;
    expect(committed).toBe('git: .env is committed, or about to be.');
    git('commit', '--quiet', '--message', 'Oh');
    git('rm', '--quiet', '--cached', '.env');
    expect((await doctor(project)).problems).toEqual([
      expect.stringMatching(/^git: \.env was committed in the past \([0-9a-f]+\)\.$/),
    ]);
  });

  test('.env must be ignored, the record must not', async () => {
    const project = await madeProject();
    writeFileSync(project.at('.gitignore'), '.create-auth-service\n');
    const env = project.read('.env');
    rmSync(project.at('.env'));
    project.commit();
    writeFileSync(project.at('.env'), env, { mode: 0o600 });
    const { problems } = await doctor(project);
    expect(problems).toEqual([
      'git: .env is not ignored by git.',
      'git: .create-auth-service/ is ignored by git: whoever clones this cannot upgrade it.',
    ]);
  });
});

describe('doctor and the record', () => {
  const manifest = '.create-auth-service/manifest.json';
  const merged =
    'record: The manifest was changed by hand, or merged by git: its checksum does not fit.';

  test('a manifest that does not fit its checksum is renewed by --fix if every pristine text fits it', async () => {
    const project = await madeProject();
    project.edit(manifest, (text) => text.replace('"lake"', '"river"'));
    expect((await doctor(project)).problems).toEqual([merged]);
    expect(await doctor(project, ['--fix'])).toMatchObject({ exitCode: 0, problems: [] });
    expect(project.read(manifest)).toContain('"river"');
    expect((await doctor(project)).problems).toEqual([]);
  });

  test('it is not renewed over a pristine text that does not fit', async () => {
    const project = await madeProject();
    project.edit(manifest, (text) => text.replace('"lake"', '"river"'));
    project.edit('.create-auth-service/base/src/app.ts', () => 'forged\n');
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
    expect(problems).toEqual(['upgrade: Waits for you: src/app.ts']);
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
      `node: ${process.versions.node} is not >=99, which package.json asks for.`,
      'dependencies: 1 of 1 are not installed: no-such',
    ]);
    expect(notes).toContain('yarn.lock of another package manager; this project was made for npm.');
  });

  test('a package manager that is not there', async () => {
    const project = await madeProject();
    const { problems } = await doctor(project, [], { env: { PATH: project.folder } });
    expect(problems).toContain('package manager: npm is not installed.');
  });
});
