import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

/** Kysely's SQLite, for a file that several processes write to. */
export function sqliteDialect(database: SqliteDatabase): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new ImmediateDriver({ database }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * Takes the write lock when a transaction begins. One that begins by reading and writes later fails
 * at once, without waiting, if another process wrote in between (SQLITE_BUSY_SNAPSHOT).
 */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/**
 * Tables change in transactions too, so migrations run whole or not at all, and the transaction's
 * lock keeps a second process from running them at the same time.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
