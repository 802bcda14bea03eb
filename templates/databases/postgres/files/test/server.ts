import { newDatabaseName } from './names.js';
import { query } from './query.js';
import type { TestServer } from './test-server.js';

/** Without TEST_DATABASE_URL: a server on the standard port, as `compose.yaml` and most systems start it. */
const STANDARD_URL = 'postgres://postgres:postgres@127.0.0.1:5432/postgres';

let found: Promise<TestServer> | undefined;

/**
 * The server that tests run on: TEST_DATABASE_URL, whose user may create databases; else one on the
 * standard local port; else PGlite, PostgreSQL compiled to WebAssembly, in this process.
 */
export function findServer(): Promise<TestServer> {
  found ??= lookForServer();
  return found;
}

async function lookForServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given === 'pglite' || !(given || (await answers(STANDARD_URL)))) {
    return (await import('./pglite.js')).pgliteServer;
  }
  return serverAt(given || STANDARD_URL);
}

function serverAt(adminUrl: string): TestServer {
  async function dropDatabase(name: string): Promise<void> {
    await query(adminUrl, `drop database if exists ${name} with (force)`);
  }

  return {
    isInProcess: false,
    async createDatabase() {
      const name = newDatabaseName();
      await query(adminUrl, `create database ${name}`);
      // What a test writes need not outlive a power cut: commits do not wait for the disk.
      await query(adminUrl, `alter database ${name} set synchronous_commit = off`);
      const url = new URL(adminUrl);
      url.pathname = `/${name}`;
      return { url: url.href, drop: () => dropDatabase(name) };
    },
    async listDatabases() {
      const names = `select datname as name from pg_database where datname like 'auth_test_%'`;
      return (await query<{ name: string }>(adminUrl, names)).map(({ name }) => name);
    },
    dropDatabase,
    async disconnectAll(url) {
      const name = new URL(url).pathname.slice(1);
      const connections =
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';
      await query(adminUrl, connections, [name]);
    },
  };
}

async function answers(url: string): Promise<boolean> {
  return query(url, 'select 1').then(
    () => true,
    () => false,
  );
}
