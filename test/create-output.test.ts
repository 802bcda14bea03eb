import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generatorVersion } from '../src/package-root.js';
import { cleanEnv, scratchFolder } from './support/cli.js';
import { ownFiles, readFiles, writeFiles } from './support/files.js';
import { applyPatch } from './support/git.js';
import { openScreen } from './support/pty.js';
import { smallWorld } from './support/small-world.js';

describe('create, without writing or for programs', () => {
  test('--dry-run shows the tree and writes nothing', async () => {
    const { cwd, create } = smallWorld();
    const { exitCode, stdout } = await create(['made', '--dry-run']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('\nsrc/\n  app.ts\n  list.ts\n');
    expect(stdout).toContain('Nothing was written.');
    expect(readFiles(cwd)).toEqual({});
  });

  test('--dry-run --diff is a patch from which git makes the same files', async () => {
    const { cwd, create } = smallWorld();
    const { stdout } = await create(['made', '--dry-run', '--diff']);
    expect(readFiles(cwd)).toEqual({});
    await create(['made']);
    const { '.env': _, ...files } = ownFiles(join(cwd, 'made'));
    const patched = scratchFolder();
    applyPatch(patched, stdout);
    expect(readFiles(patched)).toEqual(files);
  });

  test('--dry-run --diff says the rest on stderr, on a terminal above the patch', async () => {
    const { cwd, bin, create } = smallWorld();
    const flags = ['--methods', 'knock', '--dry-run', '--diff'];
    const { stdout, stderr } = await create(['made', ...flags]);
    expect(stderr).toContain('guests is left out: it needs word, which is not chosen.\n');
    expect(stdout).toMatch(/^diff --git /);
    const quiet = await create(['made', ...flags, '--quiet']);
    expect(quiet).toEqual({ exitCode: 0, stdout, stderr: '' });
    const screen = openScreen(['made', ...flags, '--yes'], { cwd, bin });
    expect(await screen.exitCode).toBe(0);
    expect(screen.text()).toMatch(/guests is left out: .* Nothing was written\.\n\ndiff --git /s);
  });

  test('--dry-run --diff over other files is a patch that leads to the same', async () => {
    const { cwd, create } = smallWorld();
    const theirs = {
      'src/app.ts': '// mine\nexport const app = 1;\n// no line end',
      'package.json': '{}',
    };
    writeFiles(join(cwd, 'made'), theirs);
    const { stdout } = await create(['made', '--force', '--dry-run', '--diff']);
    const patched = scratchFolder();
    writeFiles(patched, theirs);
    applyPatch(patched, stdout);
    await create(['made', '--force']);
    const { '.env': _, ...files } = ownFiles(join(cwd, 'made'));
    expect(readFiles(patched)).toEqual(files);
  });

  test('--diff alone is refused rather than taken for a creation', async () => {
    const { cwd, create } = smallWorld();
    const { exitCode, stderr } = await create(['made', '--diff']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('--diff needs --dry-run.');
    expect(readFiles(cwd)).toEqual({});
  });

  test('--json is one document on stdout, all else goes to stderr', async () => {
    const { create } = smallWorld();
    const { stdout, stderr } = await create(['made', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      directory: 'made',
      version: generatorVersion(),
      answers: { name: 'made' },
      installed: false,
      committed: false,
      nextSteps: ['cd made', 'npm install', 'npm run dev'],
      urls: { start: 'http://localhost:3000' },
    });
    expect(stderr).toContain('Created made');
  });

  test('--json prints a refusal as a document, too', async () => {
    const { run } = smallWorld();
    const { stdout, exitCode } = await run(['--json', '--framework', 'plan']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).error.message).toContain('there is no "plan"');
  });

  test.skipIf(process.platform !== 'linux')('a result that cannot be written is an error', () => {
    const { cwd, bin } = smallWorld();
    const full = openSync('/dev/full', 'w');
    const list = (stdout: number | 'pipe') =>
      spawnSync(process.execPath, [bin, 'list', '--json'], {
        cwd,
        env: cleanEnv(),
        encoding: 'utf8',
        stdio: ['ignore', stdout, 'pipe'],
      });
    expect(list(full)).toMatchObject({
      status: 1,
      stderr: 'Standard output could not be written (ENOSPC): it is incomplete.\n',
    });
    closeSync(full);
    expect(list('pipe')).toMatchObject({ status: 0, stderr: '' });
  });

  test('--quiet prints nothing', async () => {
    const { create } = smallWorld();
    expect(await create(['made', '--quiet'])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });
});
