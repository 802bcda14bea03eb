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
import { whenFree } from './when-free.js';

/** Kysely's SQLite, for a file that several processes write to. */
export function sqliteDialect(database: SqliteDatabase): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new PatientDriver({ database }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * Waits for the write lock without holding up the thread, and takes it when a transaction begins.
 * One that begins by reading and writes later fails at once, without waiting, if another process
 * wrote in between (SQLITE_BUSY_SNAPSHOT).
 */
class PatientDriver extends SqliteDriver {
  #connection: DatabaseConnection | undefined;

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    // There is one connection, always the same.
    this.#connection ??= patient(connection);
    return this.#connection;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** The connection, with statements that wait for their turn. */
function patient(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: async <Row>(query: CompiledQuery) =>
      whenFree(() => connection.executeQuery<Row>(query)),
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  };
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
