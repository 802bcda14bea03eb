import pg from 'pg';
import { randomId } from '../src/random.js';

/** Where tests make their databases. */
export interface TestServer {
  /** True if all connections share one session in this process, so that nothing is truly parallel. */
  isInProcess: boolean;
  createDatabase(): Promise<TestDatabase>;
  disconnectAll(url: string): Promise<void>;
}

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

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
  return {
    isInProcess: false,
    async createDatabase() {
      const name = `auth_test_${randomId().replaceAll('-', '')}`;
      await runAt(adminUrl, `create database ${name}`);
      const url = new URL(adminUrl);
      url.pathname = `/${name}`;
      return { url: url.href, drop: () => runAt(adminUrl, `drop database ${name} with (force)`) };
    },
    disconnectAll: (url) =>
      runAt(
        adminUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}'`,
      ),
  };
}

async function answers(url: string): Promise<boolean> {
  return runAt(url, 'select 1').then(
    () => true,
    () => false,
  );
}

async function runAt(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}
