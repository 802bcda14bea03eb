import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { breakingAt, callsOf, isStopped } from './support/broken-run.js';
import { ended } from './support/cli.js';
import { type Files, readFiles, writeFiles } from './support/files.js';
import { keys, openScreen } from './support/pty.js';
import { smallTemplates } from './support/small-package.js';
import { smallWorld } from './support/small-world.js';

const fileCount = 4000;

/** Templates that take long enough to write for a signal to arrive in the middle. */
const manyTemplates: Files = {
  ...smallTemplates,
  ...Object.fromEntries(
    Array.from({ length: fileCount }, (_, number) => [`base/files/many/${number}.txt`, 'text\n']),
  ),
};

const quietly = ['--yes', '--no-install', '--no-git'];

describe('a creation that is interrupted', () => {
  test('Ctrl-C on a terminal is answered on a line of its own', async () => {
    const { cwd, bin } = smallWorld(manyTemplates);
    const screen = openScreen(['made', ...quietly], { cwd, bin });
    await screen.until(() => readdirSync(cwd).length > 0, 'the folder');
    screen.write(keys.interrupt);
    expect(await screen.exitCode).toBe(130);
    expect(screen.text()).toMatch(/^Interrupted\. Nothing was changed\.$/m);
  });

  test('folders that were made for it go, too', async () => {
    const { cwd, create } = smallWorld();
    const env = breakingAt(8, 'terminate');
    expect(await create(['services/here/made'], { env })).toMatchObject({
      exitCode: 143,
      stderr: 'Interrupted. Nothing was changed.\n',
    });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')(
    'a killed run may have had the id of this one, as in a container',
    async () => {
      const { cwd, bin } = smallWorld();
      const left = 'left=.made.create-auth-service-$$; mkdir "$left"; echo old > "$left/old.txt"';
      const command = [process.execPath, bin, 'made', ...quietly];
      const again = spawn('sh', ['-c', `${left}; exec "$@"`, 'sh', ...command], { cwd });
      expect(await ended(again)).toMatchObject({ exitCode: 0 });
      expect(readdirSync(cwd)).toEqual(['made']);
      expect(existsSync(join(cwd, 'made/old.txt'))).toBe(false);
    },
  );

  test.skipIf(process.platform === 'win32')(
    'the folder of a run in another container, with the same id, is not written into',
    async () => {
      const { cwd, start } = smallWorld();
      const child = start(['made', ...quietly], { env: breakingAt(1, 'stop') });
      const end = ended(child);
      while (!isStopped(child.pid)) await wait(10);
      const theirs = { [`.made.create-auth-service-${child.pid}/theirs.txt`]: 'theirs' };
      writeFiles(cwd, theirs);
      child.kill('SIGCONT');
      const { exitCode, stderr } = await end;
      expect(exitCode).toBe(1);
      expect(stderr).toContain('Another create-auth-service is making this folder.');
      expect(readFiles(cwd)).toEqual(theirs);
    },
  );

  test('a run that is still alive is left alone', async () => {
    const { cwd, create } = smallWorld();
    const alive = `.made.create-auth-service-${process.pid}`;
    writeFiles(cwd, { [`${alive}/fresh/a`]: 'a' });
    await create(['made']);
    expect(readdirSync(cwd).sort()).toEqual([alive, 'made']);
  });

  describe('in a folder that has files', () => {
    const theirs = { 'src/app.ts': 'mine\n', 'src/b.ts': 'mine, too\n', 'notes.txt': 'notes\n' };

    /** The folder, and the command that overwrites it, stopped at a call that changes the disk. */
    async function broken(step: number, how: 'kill' | 'fail' | 'interrupt') {
      const { cwd, create } = smallWorld();
      writeFiles(join(cwd, 'made'), theirs);
      const end = await create(['made', '--force'], { env: breakingAt(step, how) });
      return { ...end, create, tree: () => readFiles(cwd) };
    }
    const before = Object.fromEntries(
      Object.entries(theirs).map(([path, text]) => [`made/${path}`, text]),
    );

    test('kill -9 at every third call: the next run restores everything, or everything was done', async () => {
      const { cwd, create } = smallWorld();
      writeFiles(join(cwd, 'made'), theirs);
      const calls = await callsOf((env) => create(['made', '--force'], { env }));
      const done = Object.keys(readFiles(cwd));
      let undone = 0;
      for (let step = 1; step <= calls.length; step += 3) {
        const { exitCode, create, tree } = await broken(step, 'kill');
        expect(exitCode).toBe(null);
        // Without --force it is refused, after the changes of the killed one were undone.
        expect(await create(['made'])).toMatchObject({ exitCode: 1 });
        if ('made/.create-auth-service/manifest.json' in tree()) {
          expect(Object.keys(tree())).toEqual(done);
        } else {
          expect(tree()).toEqual(before);
          undone += 1;
        }
      }
      expect(undone).toBeGreaterThan(10);
    }, 120_000);

    test.each(['fail', 'interrupt'] as const)('%s leaves it as it was', async (how) => {
      for (const step of [2, 12, 30]) {
        const { exitCode, stderr, tree } = await broken(step, how);
        expect({ step, exitCode }).toEqual({ step, exitCode: how === 'fail' ? 1 : 130 });
        expect(stderr).toContain('Nothing was changed.');
        expect(tree()).toEqual(before);
      }
    });

    test('an empty one is as empty as it was', async () => {
      const { cwd, create } = smallWorld();
      mkdirSync(join(cwd, 'made'));
      const env = breakingAt(30, 'kill');
      await create(['.'], { cwd: join(cwd, 'made'), env });
      expect(readdirSync(join(cwd, 'made'))).toContain('.create-auth-service');
      await create(['.'], { cwd: join(cwd, 'made'), env: breakingAt(40, 'fail') });
      expect(readdirSync(join(cwd, 'made'))).toEqual([]);
      expect(await create(['.'], { cwd: join(cwd, 'made') })).toMatchObject({ exitCode: 0 });
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
      // No file may grow beyond some blocks, so writes fail as on a full disk.
      const command = [process.execPath, bin, 'made', '--force', ...quietly];
      const limited = spawn('sh', ['-c', 'ulimit -f 100; exec "$@"', 'sh', ...command], { cwd });
      const { exitCode, stderr } = await ended(limited);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('could not be written (EFBIG). Nothing was changed.');
      expect(readFiles(cwd)).toEqual(theirs);
      expect(readdirSync(cwd)).toEqual(['made']);
    },
  );

  test('a read-only folder is reported', async () => {
    const { cwd, bin } = smallWorld();
    mkdirSync(join(cwd, 'theirs'));
    chmodSync(join(cwd, 'theirs'), 0o555);
    // Root may write anywhere, so it drops its privileges; then the folders of the test must be readable.
    const lesser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    for (const folder of [cwd, join(bin, '../..')]) chmodSync(folder, 0o755);
    const command = [bin, 'theirs/made', ...quietly];
    const { exitCode, stderr } = await ended(spawn(process.execPath, command, { cwd, ...lesser }));
    expect(exitCode).toBe(1);
    expect(stderr).toContain('could not be written (EACCES). Nothing was changed.');
    expect(stderr).toContain('Choose a folder that you can write to');
  });
});
