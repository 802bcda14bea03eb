import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refuseStaleTemplates } from '../scripts/build/pack-templates.js';
import { repositoryFolder } from '../scripts/matrix/child.js';
import { cleanEnv, runCli, scratchFolder } from './support/cli.js';
import { baseTemplate, clock } from './support/emitted-paths.js';

describe.skipIf(process.platform === 'win32')('the published package', () => {
  test('has the bundle with every template in one file, and nothing else', () => {
    const options = { cwd: repositoryFolder, encoding: 'utf8', env: cleanEnv() } as const;
    const pack = ['pack', '--json', '--ignore-scripts', '--dry-run'];
    const [{ files }] = JSON.parse(execFileSync('npm', pack, options));
    const paths: string[] = files.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['bin/create-auth-service.js', 'dist/cli.cjs', 'package.json']),
    );
    expect(paths).toContain('dist/templates.pack');
    expect(
      paths.filter((path) => /node_modules|^(src|test|scripts|templates)\//.test(path)),
    ).toEqual([]);
  });

  test('has the templates as they are', () => {
    refuseStaleTemplates(repositoryFolder);
    const folder = scratchFolder();
    for (const name of ['dist', 'templates']) {
      cpSync(join(repositoryFolder, name), join(folder, name), { recursive: true });
    }
    appendFileSync(join(folder, baseTemplate(clock)), '// edited');
    expect(() => refuseStaleTemplates(folder)).toThrow('npm run build comes first');
  });

  test('installs nothing else', () => {
    const { dependencies = {} } = JSON.parse(
      readFileSync(join(repositoryFolder, 'package.json'), 'utf8'),
    );
    expect(dependencies).toEqual({});
  });

  test('prints help with one file: what only some runs need is read when they need it', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'loaded.cjs'), printsLoadedFiles);
    const env = { NODE_OPTIONS: `--require "${join(folder, 'loaded.cjs').replaceAll('\\', '/')}"` };
    const loadedBy = async (cwd: string, ...args: string[]) => {
      const { stderr } = await runCli(args, { cwd, env });
      return stderr
        .trim()
        .split('\n')
        .filter((name) => name !== 'loaded.cjs');
    };
    const start = ['create-auth-service.js', 'cli.cjs'];
    expect(await loadedBy(folder, '--help')).toEqual(start);
    const bundle = [...start, 'commands.cjs'];
    const made = await loadedBy(folder, 'made', '--yes', '--no-install', '--no-git');
    expect(made).toEqual(bundle);
    const upgraded = await loadedBy(join(folder, 'made'), 'upgrade', '--dry-run');
    // It asks git whether an upgrade would be refused.
    expect(upgraded).toEqual([...bundle, 'semver.cjs', 'execa.cjs']);
    // Node 20 keeps nothing that it has compiled: each 25 kB cost a millisecond there. Help makes no schema: with zod, `cli.cjs`
    // is 90 kB.
    expect(statSync(join(repositoryFolder, 'dist/cli.cjs')).size).toBeLessThan(65_000);
    expect(statSync(join(repositoryFolder, 'dist/commands.cjs')).size).toBeLessThan(190_000);
  });
});

const printsLoadedFiles = `process.on('exit', () => {
  for (const file of Object.keys(require.cache)) console.error(require('path').basename(file));
});`;
