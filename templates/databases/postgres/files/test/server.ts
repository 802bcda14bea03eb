import { sql } from 'kysely';
import type { Db } from '../src/db/schema.js';

/** Without TEST_DATABASE_URL: a server on the standard port, as most systems start it. */
export const STANDARD_URLS = ['postgres://postgres:postgres@127.0.0.1:5432/postgres'];

/** Makes a database without tables. */
export async function createDatabaseOn(db: Db, name: string): Promise<void> {
  await sql`create database ${sql.id(name)}`.execute(db);
  // Tests need no durability: commits do not wait for the disk.
  await sql`alter database ${sql.id(name)} set synchronous_commit = off`.execute(db);
}

/** The names of all databases that tests have made. */
export async function listDatabases(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select datname as name from pg_database where datname like 'auth_test_%'`.execute(db);
  return rows.map(({ name }) => name);
}

/** All columns of all tables: Kysely's own list takes 5 ms. */
export async function listColumns(db: Db): Promise<unknown[]> {
  const query = sql`select relname, attname, atttypid from pg_attribute join pg_class on attrelid = pg_class.oid where relnamespace = current_schema()::regnamespace and attnum > 0 order by attrelid, attnum`;
  return (await query.execute(db)).rows;
}

/** Drops a database, whoever is still connected to it. */
export async function dropDatabase(db: Db, name: string): Promise<void> {
  await sql`drop database if exists ${sql.id(name)} with (force)`.execute(db);
}

/** Ends every connection to a database but this one, as a restart of the server would. */
export async function disconnectAllFrom(db: Db, name: string): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = ${name} and pid <> pg_backend_pid()
  `.execute(db);
}

/** A statement that takes this long. */
export function sleepFor(seconds: number) {
  return sql`select pg_sleep(${seconds})`;
}
