import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { templatesFolder } from '../src/package-root.js';
import { cleanEnv, packageFolder, runCli, scratchFolder } from './support/cli.js';
import { filesBelow, readFiles } from './support/files.js';

function npmPack(...args: string[]) {
  const pack = ['pack', '--json', '--ignore-scripts', ...args];
  const options = { cwd: packageFolder, encoding: 'utf8', env: cleanEnv() } as const;
  return JSON.parse(execFileSync('npm', pack, options))[0];
}

describe.skipIf(process.platform === 'win32')('the published package', () => {
  test('has the bundle, every template and nothing else', () => {
    const { files } = npmPack('--dry-run');
    const paths: string[] = files.map(({ path }: { path: string }) => path);
    const templates = filesBelow(templatesFolder).map((path) => relative(packageFolder, path));
    expect(paths.filter((path) => path.startsWith('templates/')).sort()).toEqual(templates.sort());
    expect(paths.filter((path) => !path.startsWith('templates/')).sort()).toEqual(
      expect.arrayContaining(['bin/create-auth-service.js', 'dist/cli.js', 'package.json']),
    );
    expect(paths.filter((path) => /node_modules|^(src|test|scripts)\//.test(path))).toEqual([]);
  });

  test('installs nothing else', () => {
    const { dependencies = {} } = JSON.parse(
      readFileSync(join(packageFolder, 'package.json'), 'utf8'),
    );
    expect(dependencies).toEqual({});
  });

  test('runs from a folder that has nothing but it', async () => {
    const folder = scratchFolder();
    const { filename } = npmPack('--pack-destination', folder);
    execFileSync('tar', ['-xzf', filename], { cwd: folder });
    const bin = join(folder, 'package/bin/create-auth-service.js');
    const cwd = join(folder, 'work');
    mkdirSync(cwd);
    const made = await runCli(['made', '--yes', '--no-install', '--no-git'], { cwd, bin });
    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    const here = scratchFolder();
    await runCli(['made', '--yes', '--no-install', '--no-git'], { cwd: here });
    const { 'made/.env': drawn, ...published } = readFiles(cwd);
    const { 'made/.env': drawnHere, ...built } = readFiles(here);
    expect(published).toEqual(built);
    expect(drawn).not.toBe(drawnHere);
  });

  test('starts by reading little: what only one command needs is in a file of its own', () => {
    const size = loadedAtStart('cli.js').map((name) => statSync(join(bundle, name)).size);
    expect(size.reduce((sum, each) => sum + each)).toBeLessThan(120_000);
  });
});

const bundle = join(packageFolder, 'dist');

/** The file and all that it imports at once. */
function loadedAtStart(name: string, seen: string[] = []): string[] {
  if (seen.includes(name)) return seen;
  seen.push(name);
  const imports = readFileSync(join(bundle, name), 'utf8').matchAll(
    /(?:from|import)"\.\/([\w-]+\.js)"/g,
  );
  for (const [, imported = ''] of imports) loadedAtStart(imported, seen);
  return seen;
}
