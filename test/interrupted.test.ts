import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ended } from './support/cli.js';
import { type Files, readFiles, writeFiles } from './support/files.js';
import { smallTemplates } from './support/small-package.js';
import { smallWorld } from './support/small-world.js';

const fileCount = 4000;

/** Templates which take long enough to write that a signal hits the middle. */
const manyTemplates: Files = {
  ...smallTemplates,
  ...Object.fromEntries(
    Array.from({ length: fileCount }, (_, number) => [`base/files/many/${number}.txt`, 'text\n']),
  ),
};

const quietly = ['--yes', '--no-install', '--no-git'];

/** Sends the signal once the command has begun to write. */
async function interruptWriting(child: ChildProcess, cwd: string, signal: NodeJS.Signals) {
  const end = ended(child);
  while (!readdirSync(cwd).some((name) => name.includes('.create-auth-service-'))) await wait(1);
  child.kill(signal);
  return end;
}

describe('a creation that does not come to its end', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s while it writes leaves nothing behind', async (signal, code) => {
    const { cwd, start } = smallWorld(manyTemplates);
    const child = start(['services/made', ...quietly]);
    mkdirSync(join(cwd, 'services'));
    const { exitCode, stderr } = await interruptWriting(child, join(cwd, 'services'), signal);
    expect(exitCode).toBe(code);
    expect(stderr).toBe('Interrupted. Nothing was changed.\n');
    expect(readdirSync(join(cwd, 'services'))).toEqual([]);
  });

  test('folders that were made for it go, too', async () => {
    const { cwd, start } = smallWorld(manyTemplates);
    const child = start(['services/here/made', ...quietly]);
    while (!existsSync(join(cwd, 'services/here'))) await wait(1);
    await interruptWriting(child, join(cwd, 'services/here'), 'SIGTERM');
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('after SIGKILL the next run removes what was left', async () => {
    const { cwd, start, create } = smallWorld(manyTemplates);
    const { exitCode } = await interruptWriting(start(['made', ...quietly]), cwd, 'SIGKILL');
    expect(exitCode).toBe(null);
    expect(readdirSync(cwd)).toHaveLength(1);
    expect(await create(['made'])).toMatchObject({ exitCode: 0 });
    expect(readdirSync(cwd)).toEqual(['made']);
  });

  test('a run that is still alive is left alone', async () => {
    const { cwd, create } = smallWorld();
    const alive = `.made.create-auth-service-${process.pid}`;
    writeFiles(cwd, { [`${alive}/fresh/a`]: 'a' });
    await create(['made']);
    expect(readdirSync(cwd).sort()).toEqual([alive, 'made']);
  });

  test('a replacement that was killed half-way is undone by the next run', async () => {
    const { cwd, create } = smallWorld();
    const dead = '.made.create-auth-service-99999999';
    writeFiles(cwd, {
      // What the killed run had done: a.txt added, src/app.ts taken away, the new one not yet there.
      [`${dead}/journal.json`]: JSON.stringify({ added: ['a.txt'], replaced: ['src/app.ts'] }),
      [`${dead}/fresh/src/app.ts`]: 'new\n',
      [`${dead}/replaced/src/app.ts`]: 'mine\n',
      'made/a.txt': 'new\n',
      'made/src/b.ts': 'mine, too\n',
    });
    const { stderr } = await create(['made']);
    expect(stderr).toContain('made is not empty:\n  src\n');
    expect(readFiles(cwd)).toEqual({
      'made/src/app.ts': 'mine\n',
      'made/src/b.ts': 'mine, too\n',
    });
  });

  test.skipIf(process.platform === 'win32')(
    'a write that fails leaves the target as it was',
    async () => {
      const { cwd, bin } = smallWorld({
        ...smallTemplates,
        'base/files/large.txt': 'x'.repeat(200_000),
      });
      const theirs = { 'made/src/app.ts': 'mine\n', 'made/notes.txt': 'mine, too\n' };
      writeFiles(cwd, theirs);
      // No file may grow beyond some blocks: what a full disk does to a write.
      const command = [process.execPath, bin, 'made', '--force', ...quietly];
      const limited = spawn('sh', ['-c', 'ulimit -f 100; exec "$@"', 'sh', ...command], { cwd });
      const { exitCode, stderr } = await ended(limited);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('could not be written (EFBIG). Nothing was changed.');
      expect(readFiles(cwd)).toEqual(theirs);
      expect(readdirSync(cwd)).toEqual(['made']);
    },
  );

  test('a folder that may not be written to is told', async () => {
    const { cwd, bin } = smallWorld();
    mkdirSync(join(cwd, 'theirs'));
    chmodSync(join(cwd, 'theirs'), 0o555);
    // Root may write anywhere, so it steps down; then the folders of the test have to be open to read.
    const lesser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    for (const folder of [cwd, join(bin, '../..')]) chmodSync(folder, 0o755);
    const command = [bin, 'theirs/made', ...quietly];
    const { exitCode, stderr } = await ended(spawn(process.execPath, command, { cwd, ...lesser }));
    expect(exitCode).toBe(1);
    expect(stderr).toContain('could not be written (EACCES)');
  });
});
