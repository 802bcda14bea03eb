import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { buildService } from './emit-service.js';
import type { LoadRequest } from './load-job.js';
import type { Server } from './server.js';

/** A service that some checkout of this repository emits, on a database with accounts. */
export interface Emitted {
  folder: string;
  environment: Record<string, string>;
  requests: Record<string, LoadRequest[]>;
  start(): Promise<Server>;
}

const USERS = 4_000;
/** As many as a service remembers the tokens of. */
const BUSY = 1_000;

/**
 * Emits, builds and seeds the service of a checkout, with its own bench: tables and variables differ between versions.
 * @param features undefined for those that it chooses itself
 */
export async function emittedBy(checkout: string, features: string | undefined): Promise<Emitted> {
  const module = <Type>(name: string): Promise<Type> =>
    import(join(checkout, 'bench', `${name}.ts`));
  const { serviceFolder: folder } = await module<typeof import('./places.js')>('places');
  const { seedDatabase } = await module<typeof import('./seed.js')>('seed');
  const { environmentOf, forgetDatabases, startService } =
    await module<typeof import('./service.js')>('service');
  const { loginRequest, requestsOf } = await module<typeof import('./accounts.js')>('accounts');
  const { buildProcesses } = await module<typeof import('./build-processes.js')>('build-processes');
  await buildProcesses();
  const chosen = features === undefined ? [] : ['--features', features];
  const flags = ['--yes', '--no-install', '--no-git', '--quiet', ...chosen];
  await rm(folder, { recursive: true, force: true });
  await execa('node', ['bin/create-auth-service.js', folder, ...flags], { cwd: checkout });
  await buildService(folder);
  await forgetDatabases();
  const users = await seedDatabase('main', USERS);
  const all = users.map(requestsOf);
  const busy = all.slice(0, BUSY);
  return {
    folder,
    environment: environmentOf('main'),
    start: () => startService('main'),
    requests: {
      'GET /me by cookie': busy.map(({ meByCookie }) => meByCookie),
      'GET /me by bearer': busy.map(({ meByBearer }) => meByBearer),
      'POST /refresh by cookie': all.map(({ refreshByCookie }) => refreshByCookie),
      'POST /refresh by bearer': all.map(({ refreshByBearer }) => refreshByBearer),
      login: users.map(loginRequest),
    },
  };
}
