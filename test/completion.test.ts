import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanEnv, runCli, scratchFolder } from './support/cli.js';
import { smallWorld } from './support/small-world.js';

async function scriptFor(shell: string): Promise<string> {
  const { exitCode, stdout, stderr } = await smallWorld().run(['completion', shell]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

/** What bash proposes for the last of the words. */
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
  ])('%j', async (words, expected) => {
    expect(await proposals(...words)).toEqual(expected);
  });

  test('the first word is any command', async () => {
    expect(await proposals('')).toEqual(
      expect.arrayContaining(['create', 'list', 'diff', 'completion']),
    );
  });
});

test('each script is one that its shell can read, where it is installed', async () => {
  const folder = scratchFolder();
  const read = await Promise.all(
    ['bash', 'zsh', 'fish'].map(async (shell) => {
      const file = join(folder, shell);
      writeFileSync(file, await scriptFor(shell));
      const { error, status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
      return error ? undefined : { shell, status, stderr };
    }),
  );
  const there = read.filter((each) => each !== undefined);
  expect(there).toEqual(there.map(({ shell }) => ({ shell, status: 0, stderr: '' })));
});

test('another shell is refused with what there is', async () => {
  const { exitCode, stderr } = await runCli(['completion', 'bush'], { cwd: scratchFolder() });
  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    'There is no completion for "bush".\nDid you mean bash? There is: bash, fish, zsh.\n',
  );
});
