import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli, scratchFolder } from './support/cli.js';
import { writeFiles } from './support/files.js';

const quietly = ['--yes', '--no-install', '--no-git', '--quiet'];

describe('words that could be commands', () => {
  test.each([
    ['upgrad', 'Did you mean upgrade?'],
    ['lits', 'Did you mean list?'],
    ['crate', 'Did you mean create?'],
    ['doctr', 'Did you mean doctor?'],
    ['chnage', 'Did you mean change?'],
  ])('%s is no directory', async (word, message) => {
    const cwd = scratchFolder();
    const { exitCode, stderr } = await runCli([word, ...quietly], { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toContain(`./${word}`);
    expect(existsSync(join(cwd, word))).toBe(false);
  });

  test('a mistyped command is recognized by its word, whatever follows', async () => {
    for (const args of [
      ['addd', 'word'],
      ['upgrad', '--continue'],
    ]) {
      const { exitCode, stderr } = await runCli(args, { cwd: scratchFolder() });
      expect(exitCode).toBe(1);
      expect(stderr).toContain('Did you mean');
    }
  });

  test.each([
    ['--dry-run', 'add', 'word'],
    ['--json', 'diff', 'src/app.ts'],
    ['--quiet', 'upgrade', '--allow-dirty'],
  ])('%s before a command is refused with where it belongs', async (flag, command, more) => {
    const { exitCode, stderr } = await runCli([flag, command, more], { cwd: scratchFolder() });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${command} is a command, and comes first.`);
  });

  test.each(['./list', './upgrad', 'services/doctor'])('%s is a directory', async (path) => {
    const cwd = scratchFolder();
    const { exitCode } = await runCli([path, ...quietly], { cwd });
    expect(exitCode).toBe(0);
    expect(existsSync(join(cwd, path, 'package.json'))).toBe(true);
  });

  test('the command that makes a project of such a name again can be typed', async () => {
    const args = ['--name', 'list', '--yes', '--no-install', '--no-git'];
    const { stdout } = await runCli(args, { cwd: scratchFolder() });
    expect(stdout).toMatch(/npx create-auth-service@\S+ \.\/list --name list /);
  });
});

describe('commands', () => {
  test.each([
    [['change', '--methods', 'x'], 'change --help'],
    [['list', '--yes'], 'list --help'],
    [['help', 'upgrad'], 'There is no command "upgrad".\nDid you mean upgrade?'],
    [['help', 'nosuch'], 'There is no command "nosuch".\nSee npx create-auth-service --help.'],
    [['made', '--yes', '--features', 'nope'], '--features: there is no "nope".\nAvailable: '],
  ])('%j is refused without suggesting the same word', async (args, told) => {
    const { exitCode, stderr } = await runCli(args, { cwd: scratchFolder() });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(told);
    expect(stderr).not.toMatch(/Did you mean --|OutputHelp/);
  });

  test('a flag is not suggested that only another command has', async () => {
    const cwd = scratchFolder();
    const other = await runCli(['upgrade', '--frce'], { cwd });
    expect(other.stderr).toBe(
      "Unknown option '--frce'.\nSee npx create-auth-service upgrade --help.\n",
    );
    const own = await runCli(['upgrade', '--comit'], { cwd });
    expect(own.stderr).toBe("Unknown option '--comit'.\nDid you mean --commit?\n");
    const create = await runCli(['made', '--frce'], { cwd });
    expect(create.stderr).toBe("Unknown option '--frce'.\nDid you mean --force?\n");
  });

  test('quotes are suggested only to commands that take a path', async () => {
    const { stderr } = await runCli(['doctor', 'src'], { cwd: scratchFolder() });
    expect(stderr).not.toContain('needs quotes');
  });

  test('--help shows flags, commands and examples', async () => {
    const { exitCode, stdout } = await runCli(['--help'], { cwd: scratchFolder() });
    expect(exitCode).toBe(0);
    for (const part of ['--framework', '--dry-run', '-h, --help', 'list', 'Examples:']) {
      expect(stdout).toContain(part);
    }
  });

  test('--version prints the version of the package', async () => {
    const { stdout } = await runCli(['--version'], { cwd: scratchFolder() });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('a Node that is too old is refused in one sentence', async () => {
    const cwd = scratchFolder();
    const old = { ...process.versions, node: '20.18.3' };
    const pretend = `Object.defineProperty(process, 'versions', { value: ${JSON.stringify(old)} });`;
    writeFiles(cwd, { 'old-node.cjs': pretend });
    const env = { NODE_OPTIONS: `--require ${join(cwd, 'old-node.cjs')}` };
    expect(await runCli(['--version'], { cwd, env })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'create-auth-service needs Node 20.19 or newer, this is 20.18.3.\n',
    });
  });
});
