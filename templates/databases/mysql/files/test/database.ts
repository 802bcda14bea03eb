import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { randomId } from '../src/random.js';

/** Without TEST_DATABASE_URL: a server on the standard port, as `compose.yaml` and as Debian start it. */
const STANDARD_URLS = ['mysql://root:mysql@127.0.0.1:3306', 'mysql://root@127.0.0.1:3306'];

let found: Promise<string> | undefined;

/** A fresh database for one test, dropped with it. */
export async function testDatabase(_folder: string) {
  found ??= reachableServer();
  const adminUrl = await found;
  const name = `auth_test_${randomId().replaceAll('-', '')}`;
  await runAt(adminUrl, `create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    // Few connections each, since many tests run at once on one server.
    environment: { DATABASE_URL: url.href, DATABASE_POOL_SIZE: '4' },
    drop: () => runAt(adminUrl, `drop database ${name}`),
  };
}

/** True if two connections can work at the same time. */
export async function isParallel(): Promise<boolean> {
  return true;
}

/** Ends every connection to a test's database, as a restart of the server would. */
export async function disconnectAll(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const connection = await createConnection(url);
  const [rows] = await connection.query<({ id: number } & RowDataPacket)[]>(
    'select id from information_schema.processlist where db = ? and id <> connection_id()',
    [name],
  );
  for (const { id } of rows) await connection.query(`kill ${id}`);
  await connection.end();
}

/** The URL of a server where tests may create databases. Throws if there is none. */
async function reachableServer(): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  const problems: string[] = [];
  for (const url of given ? [given] : STANDARD_URLS) {
    try {
      await runAt(url, 'select 1');
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

async function runAt(url: string, statement: string): Promise<void> {
  const connection = await createConnection(url);
  try {
    await connection.query(statement);
  } finally {
    await connection.end();
  }
}
