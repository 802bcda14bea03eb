import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import pg from 'pg';
import { as, give, type Server, startDaemon, userOf } from './server.js';

const PORT = 5432;
const VERSIONS = '/usr/lib/postgresql';

export const postgres: Server = {
  name: 'PostgreSQL',
  package: 'postgresql',
  unit: 'postgresql',
  port: PORT,

  isInstalled: () => binaries() !== undefined,

  check: () => run(''),

  async commitEarly() {
    await run('alter system set synchronous_commit = off');
    await run('select pg_reload_conf()');
  },

  async start(folder) {
    const bin = binaries() ?? '';
    const user = userOf('postgres');
    const data = join(folder, 'data');
    give(folder, user);
    const initialize = [join(bin, 'initdb'), '--pgdata', data, '--username', 'postgres'];
    const [file = '', ...args] = as(user, [...initialize, '--auth', 'trust', '--no-sync']);
    await execa(file, args, { cwd: folder });
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${PORT}`,
      `unix_socket_directories=${folder}`,
      'max_connections=200',
      // Test data may be lost.
      'fsync=off',
    ].flatMap((setting) => ['-c', setting]);
    startDaemon(folder, as(user, [join(bin, 'postgres'), '-D', data, ...settings]));
  },
};

async function run(statement: string): Promise<void> {
  const client = new pg.Client(`postgres://postgres:postgres@127.0.0.1:${PORT}/postgres`);
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Debian keeps several versions side by side, none of them in PATH. */
function binaries(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  return newest && join(VERSIONS, newest, 'bin');
}
