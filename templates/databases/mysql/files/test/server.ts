import { newDatabaseName } from './names.js';
import { query } from './query.js';
import type { TestServer } from './test-server.js';

/** Without TEST_DATABASE_URL: a server on the standard port, as `compose.yaml` and as Debian start it. */
const STANDARD_URLS = ['mysql://root:mysql@127.0.0.1:3306', 'mysql://root@127.0.0.1:3306'];

let found: Promise<TestServer> | undefined;

/** The server that tests run on. Throws if there is none. */
export function findServer(): Promise<TestServer> {
  found ??= reachableUrl().then(serverAt);
  return found;
}

/** The URL of a server where tests may create databases. */
async function reachableUrl(): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  const problems: string[] = [];
  for (const url of given ? [given] : STANDARD_URLS) {
    try {
      await query(url, 'select 1');
      return url;
    } catch (error) {
      problems.push(`  ${url.replace(/:[^:/@]*@/, ':***@')}: ${String(error)}`);
    }
  }
  throw new Error(
    [
      'The tests need a MySQL or MariaDB server, and there is none:',
      ...problems,
      'Start one with `docker compose up --wait mysql`, or give the URL of a user who may create databases:',
      '  TEST_DATABASE_URL=mysql://user:password@host:3306',
    ].join('\n'),
  );
}

function serverAt(adminUrl: string): TestServer {
  async function dropDatabase(name: string): Promise<void> {
    await query(adminUrl, `drop database if exists ${name}`);
  }

  return {
    isInProcess: false,
    async createDatabase() {
      const name = newDatabaseName();
      await query(adminUrl, `create database ${name}`);
      const url = new URL(adminUrl);
      url.pathname = `/${name}`;
      return { url: url.href, drop: () => dropDatabase(name) };
    },
    async listDatabases() {
      const names = `select schema_name as name from information_schema.schemata where schema_name like 'auth_test_%'`;
      return (await query<{ name: string }>(adminUrl, names)).map(({ name }) => name);
    },
    dropDatabase,
    async disconnectAll(url) {
      const name = new URL(url).pathname.slice(1);
      // Not information_schema.processlist: MySQL fails to read it while a statement holds odd characters.
      const connections = await query<{ Id: number; db: string | null }>(
        adminUrl,
        'show processlist',
      );
      for (const { Id } of connections.filter(({ db }) => db === name)) {
        // It may have ended by itself.
        await query(adminUrl, `kill ${Id}`).catch(() => undefined);
      }
    },
  };
}
