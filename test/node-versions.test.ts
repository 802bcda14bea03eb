import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryFolder, runChild } from '../scripts/matrix/child.js';
import { differing, fingerprint } from '../scripts/matrix/emit.js';
import { mailedLinks } from '../scripts/matrix/outbox.js';
import { fromBuild, startService } from '../scripts/matrix/start-service.js';
import {
  earlyRelease,
  hasNode,
  installNode,
  nodeMajors,
  nodeProgram,
} from '../scripts/node-versions.js';
import { nextRelease } from './corpus/next-release.js';
import { buildService } from './support/built-service.js';
import { unpackPublished } from './support/packed.js';
import { expectedRoundTrip, roundTrip } from './support/round-trip.js';
import { expectedUpgradeRound, upgradeRound } from './support/upgrade-round.js';

const isForbiddenToSkip = Boolean(process.env.CI);
const missing = [...nodeMajors, earlyRelease].filter((version) => !hasNode(version));
await Promise.allSettled(missing.map(installNode));

let packed: string;
let built: string;

beforeAll(async () => {
  packed = await unpackPublished();
  built = await buildService('node-versions');
});

afterAll(() => {
  for (const folder of [packed, built]) rmSync(folder, { recursive: true, force: true });
});

describe.each(nodeMajors)('on Node %i', (major) => {
  const cannotRun = !hasNode(major) && !isForbiddenToSkip;
  if (cannotRun) console.warn(`SKIPPED: Node ${major} could not be had; npm run test:setup`);

  const run = (...args: string[]) =>
    runChild(packed, [nodeProgram(major), 'package/bin/create-auth-service.js', ...args]);

  test.skipIf(cannotRun)('a wrong answer ends with exit 1 and writes nothing', async () => {
    const { exitCode, text } = await run('wrong', '--framework', 'expres', '--yes');
    expect(text).toContain('Did you mean express?');
    expect(exitCode).toBe(1);
    expect(existsSync(join(packed, 'wrong'))).toBe(false);
  });

  test.skipIf(cannotRun)('no warning of Node is shown to users of the command', async () => {
    const preload = join(packed, `warn-${major}.cjs`);
    const kinds = ['ExperimentalWarning', 'DeprecationWarning', 'Warning'];
    const calls = kinds.map((kind) => `process.emitWarning('${kind} of Node', '${kind}');\n`);
    writeFileSync(preload, calls.join(''));
    const options = `--pending-deprecation --require ${preload}`;
    for (const args of [['--help'], ['list'], ['quiet', '--yes', '--dry-run'], ['doctor']]) {
      const command = [nodeProgram(major), 'package/bin/create-auth-service.js', ...args];
      const { text } = await runChild(packed, command, { NODE_OPTIONS: options });
      expect(text).not.toMatch(/of Node|\(node:\d+\)|Warning/);
    }
  });

  test.skipIf(cannotRun)('the published command emits what this repository does', async () => {
    const flags = ['--name', 'same', '--yes', '--no-install', '--no-git'];
    const { exitCode, text } = await run(`on-${major}`, ...flags);
    expect(exitCode, text).toBe(0);
    const mine = await runChild(packed, [
      process.execPath,
      join(repositoryFolder, 'bin/create-auth-service.js'),
      `beside-${major}`,
      ...flags,
    ]);
    expect(mine.exitCode, mine.text).toBe(0);
    const [here, there] = [`on-${major}`, `beside-${major}`].map((name) =>
      fingerprint(join(packed, name), ['.env']),
    );
    expect(differing(here ?? {}, there ?? {})).toEqual([]);
  });

  test.skipIf(cannotRun)(
    'a built service serves an account from registration to logout',
    async () => {
      const database = { DATABASE_URL: `file:./data/on-${major}.db` };
      const service = await startService(built, {
        command: fromBuild(nodeProgram(major)),
        env: database,
      });
      const email = `ada-${major}@example.com`;
      try {
        expect(await roundTrip(service.url, email, () => mailedLinks(built, email))).toEqual(
          expectedRoundTrip(email),
        );
        // Mails are sent after the response.
        await expect.poll(() => mailedLinks(built, email), { timeout: 60_000 }).toHaveLength(2);
      } finally {
        expect(await service.stop()).toBe(0);
      }
    },
  );
});

// The sandbox relies on Node itself, which differs between versions. On the version that runs this, the matrix
// runs all tests of the services. One version after the other: these scripts use all the CPU time that they get.
const others = nodeMajors.filter((major) => !process.version.startsWith(`v${major}.`));
const tested = [...others, earlyRelease];
const runnable = tested.filter((version) => hasNode(version) || isForbiddenToSkip);

test(`no attack of a script succeeds on Node ${runnable.join(', ')}`, async () => {
  const vitest = join(repositoryFolder, 'node_modules/vitest/vitest.mjs');
  const attacks = ['test/sandbox-attacks.test.ts', 'test/sandbox-realms.test.ts'];
  for (const file of attacks) {
    cpSync(join(repositoryFolder, 'test/laid-on-with/sqlite', file), join(built, file));
  }
  for (const version of runnable) {
    const command = [nodeProgram(version), vitest, 'run', ...attacks];
    const { exitCode, text } = await runChild(built, command, { NO_COLOR: '1' });
    expect(exitCode, `Node ${version}\n${text}`).toBe(0);
    expect(text).toMatch(/Test Files +2 passed/);
  }
});

test(`a project is edited, upgraded and changed to the same bytes on Node ${nodeMajors.join(', ')}`, async () => {
  const older = join(packed, 'package/bin/create-auth-service.js');
  const newer = nextRelease(join(packed, 'next'));
  const rounds = await Promise.all(
    nodeMajors
      .filter((major) => hasNode(major) || isForbiddenToSkip)
      .map(async (major) => {
        const folder = join(packed, `round-${major}`);
        mkdirSync(folder);
        return {
          major,
          ...(await upgradeRound(folder, { node: nodeProgram(major), older, newer })),
        };
      }),
  );
  const [first] = rounds;
  for (const { major, steps, patch, files, pristine } of rounds) {
    expect(steps, `Node ${major}`).toEqual(expectedUpgradeRound);
    expect(patch, `Node ${major}`).toBe(first?.patch);
    expect(differing(files, first?.files ?? {}), `Node ${major}`).toEqual([]);
    expect(differing(pristine, first?.pristine ?? {}), `Node ${major}`).toEqual([]);
  }
});
