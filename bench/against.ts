import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { buildProcesses } from './build-processes.js';
import { type Contestant, compare, overConnections, share } from './compare.js';
import { buildService } from './emit-service.js';
import { startLoadGenerator } from './load.js';
import type { LoadRequest } from './load-job.js';
import { root } from './places.js';
import { microseconds, percent, printTable } from './report.js';
import type { Server } from './server.js';

/**
 * `npm run bench:against -- <another checkout, installed and built> [--features a,b]`: the services that the two emit, in
 * one run. What a change costs is seen here, where two runs would differ more than the change.
 */
const { values, positionals } = parseArgs({
  options: { features: { type: 'string' } },
  allowPositionals: true,
});
const [other] = positionals;
if (other === undefined) throw new Error('Which checkout? npm run bench:against -- <folder>');

const USERS = 4_000;
/** As many as a service remembers the tokens of. */
const BUSY = 1_000;
const extent = { rounds: 9, count: 12_000, seconds: 3 };

interface Side {
  server: Server;
  requests: Record<string, LoadRequest[]>;
}

await buildProcesses();
const before = await start(resolve(other));
const after = await start(root);
const load = startLoadGenerator();
try {
  const rows = [];
  for (const [name, requests] of Object.entries(after.requests)) {
    const length = name === 'login' ? { ...extent, count: 200 } : extent;
    const costs = await compare(
      load,
      {
        before: contestant(before, name),
        after: { server: after.server, requests: overConnections(requests) },
      },
      length,
    );
    rows.push({
      measure: name,
      ours: microseconds(costs.after.cpu),
      against: microseconds(costs.before.cpu),
      result: percent(share(costs.before, costs.after)),
      goal: '',
    });
  }
  printTable(rows);
} finally {
  load.stop();
  await Promise.all([before.server.stop(), after.server.stop()]);
}

function contestant({ server, requests }: Side, name: string): Contestant {
  return { server, requests: overConnections(requests[name] ?? []) };
}

/** Emits and starts the service of a checkout, on accounts that its own bench has seeded: tables differ between versions. */
async function start(checkout: string): Promise<Side> {
  const module = <Type>(name: string): Promise<Type> =>
    import(join(checkout, 'bench', `${name}.ts`));
  const { serviceFolder } = await module<typeof import('./places.js')>('places');
  const { seedDatabase } = await module<typeof import('./seed.js')>('seed');
  const { forgetDatabases, startService } = await module<typeof import('./service.js')>('service');
  const { loginRequest, requestsOf } = await module<typeof import('./accounts.js')>('accounts');
  const { buildProcesses: buildItsProcesses } =
    await module<typeof import('./build-processes.js')>('build-processes');
  await buildItsProcesses();
  const features = values.features === undefined ? [] : ['--features', values.features];
  const flags = ['--yes', '--no-install', '--no-git', '--quiet', ...features];
  await rm(serviceFolder, { recursive: true, force: true });
  await execa('node', ['bin/create-auth-service.js', serviceFolder, ...flags], { cwd: checkout });
  await buildService(serviceFolder);
  await forgetDatabases();
  const users = await seedDatabase('main', USERS);
  const all = users.map(requestsOf);
  const busy = all.slice(0, BUSY);
  return {
    server: await startService('main'),
    requests: {
      'GET /me by cookie': busy.map(({ meByCookie }) => meByCookie),
      'GET /me by bearer': busy.map(({ meByBearer }) => meByBearer),
      'POST /refresh by cookie': all.map(({ refreshByCookie }) => refreshByCookie),
      'POST /refresh by bearer': all.map(({ refreshByBearer }) => refreshByBearer),
      login: users.map(loginRequest),
    },
  };
}
