import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { earlyRelease, hasNode, installNode, nodeMajors } from './node-versions.js';
import { mariadb } from './servers/mariadb.js';
import { postgres } from './servers/postgres.js';
import { redis } from './servers/redis.js';
import { ensure, installPackages } from './servers/server.js';

/**
 * Installs what `npm run test:all` needs and npm does not install: the Node versions, into `.cache/node/`; the servers of
 * emitted services, on loopback; the shells that completions are tested in; the browser that visits pages. What is
 * installed already is used, the rest comes from the registry and from Debian's packages. A failure is reported, and in
 * CI it is an error.
 */
const shells = ['bash', 'zsh', 'fish'];

for (const version of [...nodeMajors, earlyRelease]) {
  await tried(`Node ${version}`, async () => {
    if (!hasNode(version)) await installNode(version);
  });
}
for (const server of [postgres, mariadb, redis]) await tried(server.name, () => ensure(server));
for (const shell of shells) {
  await tried(shell, async () => {
    if (spawnSync(shell, ['-c', 'true']).status !== 0) await installPackages([shell]);
  });
}
await tried('Chromium', async () => {
  const name = 'chromium-headless-shell';
  if (!existsSync(`/usr/bin/${name}`)) await installPackages([name]);
});

async function tried(name: string, get: () => Promise<void>): Promise<void> {
  try {
    await get();
    console.log(`${name}: ready`);
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors.join(', ') : String(error);
    console.error(`${name}: not available. ${reason}`);
    if (process.env.CI) process.exitCode = 1;
  }
}
