import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanEnv, runCli, scratchFolder } from './support/cli.js';
import { openZsh, proposedByFish, scriptFor } from './support/shells.js';

/** What bash proposes for the last word. */
async function proposals(...words: string[]): Promise<string[]> {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'answers.json'), '{}');
  const asked = `COMP_WORDS=(create-auth-service ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_create_auth_service
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const input = `${await scriptFor('bash')}\n${asked}`;
  const printed = execFileSync('bash', ['--norc'], {
    cwd: folder,
    env: cleanEnv(),
    input,
    encoding: 'utf8',
  });
  return printed.split('\n').filter((line) => line !== '');
}

describe.skipIf(process.platform === 'win32')('completion in bash', () => {
  test.each<[string[], string[]]>([
    [['di'], ['diff']],
    [
      ['--framework', ''],
      ['plain', 'rich'],
    ],
    [['--framework', 'r'], ['rich']],
    [['--framework', '=', 'r'], ['rich']],
    [['my-auth', '--data'], ['--database']],
    [['create', 'my-auth', '--database', 'l'], ['lake']],
    [['--methods', 'word,kn'], ['word,knock']],
    [['--config', 'ans'], ['answers.json']],
    [['completion', 'z'], ['zsh']],
    [['diff', '--ch'], ['--check']],
    [['diff', 'ans'], ['answers.json']],
    [['diff', '--framework'], []],
    [['--vers'], ['--version']],
    [['--features', 'no'], ['none']],
  ])('%j', async (words, expected) => {
    expect(await proposals(...words)).toEqual(expected);
  });

  test('the first word is any command', async () => {
    expect(await proposals('')).toEqual(
      expect.arrayContaining(['create', 'list', 'diff', 'completion']),
    );
  });
});

/** What is typed, and the completions as a shell lists them. */
const table: [string, string[]][] = [
  ['--framework ', ['plain', 'rich']],
  ['--framework=', ['plain', 'rich']],
  ['my-auth --database ', ['lake', 'river']],
  ['create my-auth --database ', ['lake', 'river']],
  ['--methods word,', ['knock', 'ring']],
  ['--features ', ['guests', 'house-rules', 'none']],
  ['completion ', ['bash', 'fish', 'zsh']],
  ['--config ', ['answers.json', 'services/']],
  ['diff ', ['answers.json', 'services/']],
  ['add word ', ['guests', 'house-rules', 'knock', 'ring', 'word']],
];

const commands = ['add', 'change', 'completion', 'create', 'diff', 'doctor', 'list', 'regenerate'];

/** False if the shell is not there; in CI its tests run, and fail. */
function isThere(shell: string): boolean {
  if (spawnSync(shell, ['-c', 'true']).status === 0 || process.env.CI) return true;
  console.warn(`SKIPPED: ${shell} is not installed; npm run test:setup`);
  return false;
}

describe.runIf(isThere('zsh'))('completion in zsh', () => {
  test('lists what may follow, and completes what is clear', async () => {
    const zsh = await openZsh();
    for (const [typed, expected] of table) {
      expect([typed, (await zsh.proposals(typed)).sort()]).toEqual([typed, expected]);
    }
    expect(await zsh.proposals('')).toEqual(expect.arrayContaining(commands));
    expect(await zsh.proposals('upgrade --')).toEqual(
      expect.arrayContaining(['--abort', '--continue', '--dry-run', '--help']),
    );
    expect(await zsh.completed('di')).toBe('diff');
    expect(await zsh.completed('my-auth --data')).toBe('my-auth --database=');
    expect(await zsh.completed('--framework r')).toBe('--framework rich');
    expect(await zsh.completed('--methods word,kn')).toContain('--methods word,knock');
    expect(await zsh.completed('diff --ch')).toBe('diff --check');
    await zsh.leave();
  });
});

describe.runIf(isThere('fish'))('completion in fish', () => {
  test.each(table)('%s', async (typed, expected) => {
    const before = /\S*[=,]$/.exec(typed)?.[0] ?? '';
    const proposed = (await proposedByFish(typed)).map((each) => each.slice(before.length));
    expect(proposed).toEqual(expect.arrayContaining(expected));
    // For a list it also proposes what was already given.
    expect(proposed.filter((each) => !expected.includes(each) && each !== 'word')).toEqual([]);
  });

  test('commands and flags', async () => {
    expect(await proposedByFish('')).toEqual(expect.arrayContaining(commands));
    expect(await proposedByFish('di')).toEqual(['diff']);
    expect(await proposedByFish('my-auth --data')).toEqual(['--database']);
    expect(await proposedByFish('diff --ch')).toEqual(['--check']);
    expect(await proposedByFish('upgrade --')).toEqual(
      expect.arrayContaining(['--abort', '--continue', '--dry-run', '--help']),
    );
  });
});

test('a script is no document: there is no --json', async () => {
  const { exitCode, stderr } = await runCli(['completion', 'bash', '--json'], {
    cwd: scratchFolder(),
  });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("Unknown option '--json'.");
});

test('another shell is refused with what there is', async () => {
  const { exitCode, stderr } = await runCli(['completion', 'bush'], { cwd: scratchFolder() });
  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    'There is no completion for "bush".\nDid you mean bash? Available: bash, fish, zsh.\n',
  );
});
