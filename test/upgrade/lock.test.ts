import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breakingAt, breakingElsewhere, isStopped } from '../support/broken-run.js';
import { ended } from '../support/cli.js';
import { type Files, readTree } from '../support/files.js';
import { type UpgradableProject, upgradableProject } from '../support/upgradable.js';

const work = '.create-auth-service/work';
const busy = 'Another create-auth-service is changing this project.';
const half = 40;

/** A process that cannot be inspected has ten seconds to show that it is alive. */
const patience = 90_000;

let project: UpgradableProject;
let after: Files;

const folder = mkdtempSync(join(tmpdir(), 'create-auth-service-lock-'));

afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  project = await upgradableProject({ folder });
  const done = project.copy(join(folder, 'done'));
  await done.run(['upgrade']);
  after = readTree(done.root);
});

/** Not the folder of a test: these run concurrently. */
const copied = () => project.copy(mkdtempSync(join(folder, 'copy-')));

/** Starts an upgrade that will be slow or stopped, and waits until it writes. */
async function holder(env: Record<string, string>) {
  const copy = copied();
  const child = copy.start(['upgrade'], { env });
  const end = ended(child);
  while (!existsSync(join(copy.root, work, 'journal.json'))) await wait(10);
  return { ...copy, child, end };
}

describe.concurrent('the lock of a run that was killed', () => {
  test(
    'in a container or on another machine is taken over after ten seconds without a sign of life',
    async () => {
      const { run, root } = copied();
      await run(['upgrade'], { env: breakingElsewhere(half, 'kill') });
      expect(readdirSync(join(root, work))).toContain('lock-1');
      const start = performance.now();
      const { exitCode, stdout } = await run(['upgrade']);
      expect(stdout).toContain('An earlier run was killed half-way. Its changes have been undone');
      expect(exitCode).toBe(0);
      expect(performance.now() - start).toBeGreaterThan(10_000);
      expect(performance.now() - start).toBeLessThan(19_000);
      expect(readTree(root)).toEqual(after);
    },
    patience,
  );
});

describe.concurrent('the lock of a run that lives', () => {
  test(
    'in a container or on another machine is left to it, however long it takes',
    async () => {
      const { run, root, child, end } = await holder(breakingElsewhere(1, 'slow'));
      const start = performance.now();
      let refused = 0;
      for (; child.exitCode === null; refused += 1) {
        const { exitCode, stderr } = await run(['upgrade']);
        // The other one ended while this one was checking.
        if (exitCode === 0) break;
        expect({ exitCode, stderr: stderr.split('\n')[0] }).toEqual({ exitCode: 1, stderr: busy });
      }
      expect(await end).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Done') });
      expect(performance.now() - start).toBeGreaterThan(11_000);
      // How many fit in depends on the machine; one that took over would have ended the other with 1.
      expect(refused).toBeGreaterThan(0);
      expect(readTree(root)).toEqual(after);
    },
    patience,
  );

  test(
    'here is left to it, even if it is stopped',
    async () => {
      const { run, root, child, end } = await holder(breakingAt(half, 'stop'));
      while (!isStopped(child.pid)) await wait(10);
      await wait(11_000);
      expect((await run(['upgrade'])).stderr).toContain(busy);
      child.kill('SIGCONT');
      expect(await end).toMatchObject({ exitCode: 0 });
      expect(readTree(root)).toEqual(after);
    },
    patience,
  );

  test(
    'elsewhere is taken over if it is stopped; it then touches nothing any more',
    async () => {
      const { run, root, child, end } = await holder(breakingElsewhere(half, 'stop'));
      while (!isStopped(child.pid)) await wait(10);
      expect(await run(['upgrade'])).toMatchObject({ exitCode: 0 });
      expect(readTree(root)).toEqual(after);
      child.kill('SIGCONT');
      const { exitCode, stderr } = await end;
      expect(stderr).toContain('Another create-auth-service has taken over');
      expect(exitCode).toBe(1);
      expect(readTree(root)).toEqual(after);
    },
    patience,
  );
});
