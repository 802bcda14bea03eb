import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Dialect, Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { createPool } from 'mysql2';
import pg from 'pg';
import { type FreshDatabase, freshDatabase } from '../scripts/matrix/fresh-database.js';
import { FIRST, type Kind, nameOf } from './kinds.js';
import { serviceFolderOf, workFolder } from './places.js';

/** Any table, for rows that are written without the service. */
export type AnyTables = Record<string, Record<string, string | number>>;

const onServers = new Map<string, FreshDatabase>();

/** The file of the SQLite database called `name`. */
export function databaseFile(name: string, kind = FIRST): string {
  const file = kind === FIRST ? name : `${name}-${nameOf(kind)}`;
  return join(workFolder, 'data', `${file}.db`);
}

/** The variables that lead a service to its database called `name`; on a server it is made when first asked for. */
export async function databaseEnvironment(
  name: string,
  kind: Kind,
): Promise<Record<string, string>> {
  if (kind.database === 'sqlite') return { DATABASE_URL: `file:${databaseFile(name, kind)}` };
  const key = `${name} ${nameOf(kind)}`;
  const database = onServers.get(key) ?? (await freshDatabase(serviceFolderOf(kind)));
  onServers.set(key, database);
  return { DATABASE_URL: database.environment.DATABASE_URL ?? '', DATABASE_POOL_SIZE: '10' };
}

/** Opens it for rows, with nothing of the service around it. */
export async function openTables(name: string, kind: Kind): Promise<Kysely<AnyTables>> {
  const { DATABASE_URL: url = '' } = await databaseEnvironment(name, kind);
  const dialects: Record<Kind['database'], () => Dialect> = {
    sqlite: () => new SqliteDialect({ database: new Database(databaseFile(name, kind)) }),
    postgres: () => new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
    mysql: () => new MysqlDialect({ pool: createPool(url) }),
  };
  return new Kysely<AnyTables>({ dialect: dialects[kind.database]() });
}

/** Begins anew, or leaves nothing behind: databases are deleted. */
export async function forgetDatabases(): Promise<void> {
  await rm(join(workFolder, 'data'), { recursive: true, force: true });
  for (const database of onServers.values()) await database.drop();
  onServers.clear();
}
