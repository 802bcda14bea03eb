import { sql } from 'kysely';
import type { Db } from '../src/db/schema.js';

/** Without TEST_DATABASE_URL: a server on the standard port, as images and as Debian start it. */
export const STANDARD_URLS = [
  'mysql://root:mysql@127.0.0.1:3306/mysql',
  'mysql://root@127.0.0.1:3306/mysql',
];

/** Makes a database without tables. */
export async function createDatabaseOn(db: Db, name: string): Promise<void> {
  await sql`create database ${sql.id(name)}`.execute(db);
}

/** The names of all databases that tests have made. */
export async function listDatabases(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select schema_name as name from information_schema.schemata where schema_name like 'auth_test_%'`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/** All columns of all tables: Kysely's own list takes 12 ms. */
export async function listColumns(db: Db): Promise<unknown[]> {
  const query = sql`select table_name, column_name, column_type from information_schema.columns where table_schema = schema() order by table_name, ordinal_position`;
  return (await query.execute(db)).rows;
}

/** Drops a database, whoever is still connected to it. */
export async function dropDatabase(db: Db, name: string): Promise<void> {
  await sql`drop database if exists ${sql.id(name)}`.execute(db);
}

/** Ends every connection to a database but this one, as a restart of the server would. */
export async function disconnectAllFrom(db: Db, name: string): Promise<void> {
  // Not information_schema.processlist: MySQL fails to read it while a statement holds odd characters.
  const { rows } = await sql<{ Id: number; db: string | null }>`show processlist`.execute(db);
  const { rows: own } = await sql<{ Id: number }>`select connection_id() as Id`.execute(db);
  for (const { Id } of rows.filter((row) => row.db === name && row.Id !== own[0]?.Id)) {
    // It may have ended by itself.
    await sql`kill ${sql.lit(Id)}`.execute(db).catch(() => undefined);
  }
}

/** A statement that takes this long. */
export function sleepFor(seconds: number) {
  return sql`select sleep(${seconds})`;
}
