import { sql } from 'kysely';
import { readConfig } from '../src/config.js';
import { openDatabase } from '../src/db/connect.js';
import { migrateToLatest } from '../src/db/migrate.js';
import type { Db } from '../src/db/schema.js';
import { withoutTimeout } from '../src/db/sql.js';
import { type Environment, loadEnvFile } from '../src/process/environment.js';
import { createLog } from '../src/process/log.js';
import { randomId } from '../src/process/random.js';
import { SECRETS } from './environment.js';
import {
  createDatabaseOn,
  disconnectAllFrom,
  dropDatabase,
  listColumns,
  listDatabases,
  STANDARD_URLS,
} from './server.js';

interface MigratedDatabase {
  url: string;
  /** Stays connected: to connect costs a server more than all that is done here between two tests. */
  db: Db;
  /** Restores the rows that migrations left; false if its tables have changed since. */
  putBack(): Promise<boolean>;
}

/** Databases that no test is using. */
const idle: MigratedDatabase[] = [];

/**
 * A database for one test, as migrations leave it: a server takes half a second to make and to drop one, and a few
 * milliseconds to delete rows, so tests of one process use it one after the other.
 */
export async function testDatabase(_folder: string) {
  const database = idle.pop() ?? (await createMigrated());
  return {
    environment: environmentAt(database.url),
    async release() {
      // Nothing writes anymore, whatever the test has left open.
      await disconnectAllFrom(database.db, nameOf(database.url));
      if (await database.putBack()) {
        idle.push(database);
      } else {
        await database.db.destroy();
        await drop(database.url);
      }
    },
  };
}

/** A database without tables, for one test alone. It is dropped with the test. */
export async function emptyDatabase(_folder: string) {
  const url = await createDatabase();
  return { environment: environmentAt(url), release: () => drop(url) };
}

/** Ends every connection to a test's database, as a restart of the server would. */
export async function disconnectAll(url: string): Promise<void> {
  await onServer((db) => disconnectAllFrom(db, nameOf(url)));
}

const DAY_MS = 86_400_000;

/**
 * Begins a run, once for all projects of `vitest.config.ts`: databases are named after it. Its end drops the databases that
 * tests handed on to each other; a run a day later drops those that a killed run left.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_RUN) return undefined;
  const run = `${Date.now()}_${process.pid}`;
  process.env.TEST_RUN = run;
  await dropDatabasesOf((other) => Date.now() - Number.parseInt(other, 10) > DAY_MS);
  return () => dropDatabasesOf((other) => other === run);
}

async function dropDatabasesOf(isOver: (run: string) => boolean): Promise<void> {
  await onServer(async (db) => {
    for (const name of await listDatabases(db)) {
      const run = /^auth_test_(\d+_\d+)_/.exec(name)?.[1];
      if (run && isOver(run)) await dropDatabase(db, name);
    }
  });
}

async function createMigrated(): Promise<MigratedDatabase> {
  const url = await createDatabase();
  const db = await connect(url);
  await migrateToLatest(db);
  return { url, db, putBack: await noteContent(db) };
}

async function createDatabase(): Promise<string> {
  const name = `auth_test_${process.env.TEST_RUN ?? 'alone'}_${randomId().slice(0, 8)}`;
  await onServer((db) => createDatabaseOn(db, name));
  const url = new URL(await serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

async function drop(url: string): Promise<void> {
  await onServer((db) => dropDatabase(db, nameOf(url)));
}

/** Notes the tables and rows of a database. Rows go with those that they refer to, in any order. */
async function noteContent(db: Db): Promise<() => Promise<boolean>> {
  const columns = await listColumns(db);
  const tables = await db.introspection.getTables();
  const rows: [string, object[]][] = [];
  for (const { name } of tables) {
    const { rows: all } = await sql<object>`select * from ${sql.table(name)}`.execute(db);
    if (all.length > 0) rows.push([name, all]);
  }
  return async () => {
    if (JSON.stringify(await listColumns(db)) !== JSON.stringify(columns)) return false;
    await db.transaction().execute(async (transaction) => {
      const untyped = transaction.withTables<Record<string, object>>();
      for (const { name } of tables) await untyped.deleteFrom(name).execute();
      for (const [name, values] of rows) await untyped.insertInto(name).values(values).execute();
    });
    return true;
  };
}

let found: Promise<string> | undefined;

/** The URL of a server where tests may create databases. Throws if there is none. */
function serverUrl(): Promise<string> {
  found ??= findServer();
  return found;
}

async function findServer(): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  const problems: string[] = [];
  for (const url of given ? [given] : [...composeUrls(), ...STANDARD_URLS]) {
    try {
      await connected(url, (db) => sql`select 1`.execute(db));
      return url;
    } catch (error) {
      problems.push(`  ${url.replace(/:[^:/@]*@/, ':***@')}: ${String(error)}`);
    }
  }
  throw new Error(
    [
      'The tests need a database server, and there is none:',
      ...problems,
      'Start the one of compose.yaml (`docker compose up --wait`), or set TEST_DATABASE_URL to the URL of a user who may',
      'create databases.',
    ].join('\n'),
  );
}

/** The server as `compose.yaml` starts it, with the password that `.env` has for it. */
function composeUrls(): string[] {
  const file: Environment = {};
  loadEnvFile(file);
  if (!file.DATABASE_PASSWORD) return [];
  const [url] = STANDARD_URLS.map((standard) => new URL(standard));
  return url ? [Object.assign(url, { password: file.DATABASE_PASSWORD }).href] : [];
}

async function onServer<T>(work: (db: Db) => Promise<T>): Promise<T> {
  return connected(await serverUrl(), work);
}

/** Runs `work` on a connection of its own. */
async function connected<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = await connect(url);
  return work(db).finally(() => db.destroy());
}

async function connect(url: string): Promise<Db> {
  const config = readConfig({ ...SECRETS, ...environmentAt(url), LOG_LEVEL: 'silent' });
  const { db } = await openDatabase(config, createLog(config));
  // Dropping a database may take long.
  return withoutTimeout(db);
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** Few connections each, since many tests run at once on one server. */
function environmentAt(url: string) {
  return { DATABASE_URL: url, DATABASE_POOL_SIZE: '4' };
}
