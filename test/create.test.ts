import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generatorVersion } from '../src/package-root.js';
import { runCli, scratchFolder } from './support/cli.js';
import { type Files, ownFiles, readFiles } from './support/files.js';
import { packFile, pristineTexts } from './support/pristine-texts.js';
import { layer, smallTemplates } from './support/small-package.js';
import { smallWorld } from './support/small-world.js';

function manifestIn(folder: string) {
  return JSON.parse(readFileSync(join(folder, '.create-auth-service/manifest.json'), 'utf8'));
}

describe('create', () => {
  test('a page ends with the sections of the chosen layers', async () => {
    const { cwd, create } = smallWorld({
      ...smallTemplates,
      'base/files/docs/doors.md': '# Doors\n',
      'features/word/files/docs/doors/word.md': '## Word\n',
      'features/ring/files/docs/doors/ring.md': '## Ring\n',
      'features/knock/files/docs/doors/knock.md': '## Knock\n',
    });
    await create(['made', '--methods', 'word,ring']);
    const { 'docs/doors.md': page, ...others } = readFiles(join(cwd, 'made'));
    expect(page).toBe('# Doors\n\n## Ring\n\n## Word\n');
    expect(Object.keys(others).filter((path) => path.startsWith('docs/'))).toEqual([]);
  });

  test('lays the layers over one another, merges what they share and renders the lists', async () => {
    const { cwd, create } = smallWorld();
    const { stdout, exitCode } = await create(['made', '--features', 'house-rules']);
    expect(exitCode).toBe(0);
    const { '.env': env = '', ...files } = ownFiles(join(cwd, 'made'));
    expect(files).toEqual({
      '.env.example':
        '# Where it listens.\nPORT=3000\n\n# Signs tokens.\n# secret: hex32\nSECRET=\n',
      '.gitignore': '.env\nnode_modules\n',
      'package.json': readFiles(join(cwd, 'made'))['package.json'],
      'src/app.ts': 'export const app = 1;\n',
      'src/list.ts': "export const features = ['bell','houseRules','knock','ring','word',];\n",
    });
    expect(env).toMatch(/^PORT=3000$/m);
    expect(env).toMatch(/^SECRET=[0-9a-f]{64}$/m);
    expect(stdout).toBe(
      'Created made with 5 files.\n\nNext:\n  cd made\n  npm install\n  npm run dev\n\n' +
        'Then open:\n  http://localhost:3000\n\n' +
        `The same project again:\n  npx create-auth-service@${generatorVersion()} made --name made ` +
        '--framework plain --database lake --methods word,knock,ring --features house-rules ' +
        '--package-manager npm --no-install --no-git\n',
    );
  });

  test('an overlay takes the place of a file if both layers are chosen', async () => {
    const { cwd, create } = smallWorld({
      ...smallTemplates,
      'features/guests/files/src/features/guests/greet.ts': 'hello\n',
      'features/guests/when/rich/src/features/guests/greet.ts': 'dear guest\n',
    });
    await create(['poor']);
    await create(['lavish', '--framework', 'rich']);
    const greeting = 'src/features/guests/greet.ts';
    expect(readFiles(join(cwd, 'poor'))[greeting]).toBe('hello\n');
    expect(readFiles(join(cwd, 'lavish'))[greeting]).toBe('dear guest\n');
  });

  test('package.json has its keys in a fixed order and its dependencies by name', async () => {
    const { cwd, create } = smallWorld({
      ...smallTemplates,
      ...layer(
        'frameworks/plain',
        { title: 'Plain', group: 'framework', default: true },
        { dependencies: { zebra: '^1.0.0', ant: '^2.0.0' }, scripts: { dev: 'node .' } },
      ),
      ...layer(
        'features/word',
        { title: 'Word', group: 'method', default: true },
        { dependencies: { bee: '^3.0.0' }, devDependencies: { zebra: '^1.0.0', cat: '^4.0.0' } },
      ),
    });
    await create(['My Auth']);
    expect(readFiles(join(cwd, 'My Auth'))['package.json']).toBe(
      `${JSON.stringify(
        {
          name: 'my-auth',
          version: '0.1.0',
          private: true,
          type: 'module',
          engines: { node: '>=20.19' },
          scripts: { dev: 'node .' },
          dependencies: { ant: '^2.0.0', bee: '^3.0.0', zebra: '^1.0.0' },
          devDependencies: { cat: '^4.0.0' },
        },
        null,
        2,
      )}\n`,
    );
  });

  test.each<[string, Files]>([
    ['src/app.ts comes from', { 'features/word/files/src/app.ts': 'mine\n' }],
    [
      'two layers disagree about bee: ^1.0.0 and ^2.0.0',
      {
        ...layer('base', { title: 'Base', group: 'base' }, { dependencies: { bee: '^1.0.0' } }),
        ...layer(
          'features/word',
          { title: 'Word', group: 'method', default: true },
          { devDependencies: { bee: '^2.0.0' } },
        ),
      },
    ],
    [
      'two layers declare PORT in env.example',
      { 'features/word/env.example': '# Again.\nPORT=1\n' },
    ],
    [
      'two layers disagree in compose.yaml:   image: a and   image: b',
      {
        'base/compose.yaml': 'app:\n  image: a\n',
        'databases/lake/compose.yaml': 'app:\n  image: b\n',
      },
    ],
    [
      'get /me has no summary',
      { 'features/word/files/src/features/word/index.ts': "get('/me', { access: 1 });" },
    ],
  ])('a fault of the templates is a bug: %s', async (message, faulty) => {
    const { cwd, create } = smallWorld({ ...smallTemplates, ...faulty });
    const { exitCode, stderr } = await create(['made']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`Unexpected error: `);
    expect(stderr).toContain(message);
    expect(stderr).toContain('please report it');
    expect(readFiles(cwd)).toEqual({});
  });

  test('the manifest names every file, and base.pack has its pristine text; its checksum covers it', async () => {
    const cwd = scratchFolder();
    expect(await runCli(['made', '--yes', '--no-install', '--no-git'], { cwd })).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    const made = join(cwd, 'made');
    const { checksum, ...manifest } = manifestIn(made);
    expect(checksum).toBe(createHash('sha256').update(JSON.stringify(manifest)).digest('hex'));
    expect(manifest).toMatchObject({ schema: 1, pending: [] });
    const files = ownFiles(made);
    delete files['.env'];
    expect(files['.gitignore']?.split('\n')).toContain('.env');
    expect(manifest.files.map(({ path }: { path: string }) => path)).toEqual(
      Object.keys(files).sort(),
    );
    const all = readFiles(made);
    expect(readdirSync(join(made, '.create-auth-service'))).toEqual(['base.pack', 'manifest.json']);
    const pristine = pristineTexts(all[packFile]);
    for (const { path, sha256, blob, mode } of manifest.files) {
      const text = all[path] ?? '';
      expect(pristine[path]).toBe(text);
      expect(sha256).toBe(createHash('sha256').update(text).digest('hex'));
      const head = `blob ${Buffer.byteLength(text)}\0`;
      expect(blob).toBe(createHash('sha1').update(head).update(text).digest('hex'));
      expect(mode).toBe((statSync(join(made, path)).mode & 0o777).toString(8));
    }
  });

  test('the manifest knows who owns what and what became of old paths', async () => {
    const { cwd, create } = smallWorld({
      ...smallTemplates,
      ...layer('base', {
        title: 'Base',
        group: 'base',
        yours: ['src/app.ts'],
        lists: ['src/list.ts'],
        renamed: { 'src/now.ts': 'src/then.ts', 'src/then.ts': 'src/first.ts' },
      }),
      'base/files/migrations/1_users.ts': 'up\n',
      'base/files/src/now.ts': 'now\n',
      'base/files/bin/run': '#!/bin/sh\n',
      'base/compose.yaml': 'services: {}\n',
    });
    await create(['made']);
    const about = Object.fromEntries(
      manifestIn(join(cwd, 'made')).files.map(
        ({ path, ...file }: { path: string; [key: string]: unknown }) => [path, file],
      ),
    );
    expect(about['src/app.ts']).toMatchObject({ owner: 'yours', layers: ['base'], kind: 'text' });
    expect(about['src/list.ts']).toMatchObject({ owner: 'list' });
    expect(about['migrations/1_users.ts']).toMatchObject({ owner: 'frozen' });
    expect(about['src/now.ts']).toMatchObject({ id: 'src/first.ts', owner: 'ours' });
    expect(about['bin/run']).toMatchObject({ mode: '755' });
    expect(about['.gitignore']).toMatchObject({ kind: 'lines' });
    expect(about['package.json']).toMatchObject({ kind: 'json', owner: 'ours' });
    expect(about['compose.yaml']).toMatchObject({ kind: 'yaml' });
  });

  test('compose files are merged by key', async () => {
    const { cwd, create } = smallWorld({
      ...smallTemplates,
      'base/compose.yaml':
        '# All of it.\nservices:\n  app:\n    build: .\n    ports:\n      - 80:80\n',
      'databases/lake/compose.yaml':
        'services:\n  app:\n    depends_on:\n      - lake\n    ports:\n      - 81:81\n' +
        '  # What it needs.\n  lake:\n    image: lake:1\nvolumes:\n  lake:\n',
    });
    await create(['made']);
    expect(readFiles(join(cwd, 'made'))['compose.yaml']).toBe(
      '# All of it.\nservices:\n  app:\n    build: .\n    ports:\n      - 80:80\n      - 81:81\n' +
        '    depends_on:\n      - lake\n  # What it needs.\n  lake:\n    image: lake:1\nvolumes:\n  lake:\n',
    );
  });
});
