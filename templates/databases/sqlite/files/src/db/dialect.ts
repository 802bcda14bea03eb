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

/** What another process migrates may take long: it copies tables. */
const MIGRATION_PATIENCE_MS = 60 * 60_000;

/** How long the connection waits for other processes; undefined: as long as a request may. */
interface Patience {
  ms: number | undefined;
}

/** Kysely's SQLite, for a file that several processes write to. */
export function sqliteDialect(database: SqliteDatabase): Dialect {
  const patience: Patience = { ms: undefined };
  return {
    createAdapter: () => new TransactionalAdapter(patience),
    createDriver: () => new PatientDriver(database, patience),
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
  readonly #patience: Patience;
  #connection: DatabaseConnection | undefined;

  constructor(database: SqliteDatabase, patience: Patience) {
    super({ database });
    this.#patience = patience;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    // There is one connection, always the same.
    this.#connection ??= patient(connection, this.#patience);
    return this.#connection;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      // A full or failing disk has rolled back by itself: the statement's own error is the one to tell.
      if (!String(error).includes('no transaction is active')) throw error;
    }
  }
}

/** The connection, with statements that wait for their turn. */
function patient(connection: DatabaseConnection, patience: Patience): DatabaseConnection {
  return {
    executeQuery: async <Row>(query: CompiledQuery) =>
      whenFree(() => connection.executeQuery<Row>(query), patience.ms),
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  };
}

/**
 * Tables change in transactions too, so migrations run whole or not at all, and the transaction's
 * lock keeps a second process from running them at the same time. It waits until the first has done.
 */
class TransactionalAdapter extends SqliteAdapter {
  readonly #patience: Patience;

  constructor(patience: Patience) {
    super();
    this.#patience = patience;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  override async acquireMigrationLock(): Promise<void> {
    // The one connection is the migrations' until they have ended: nobody else waits as long.
    this.#patience.ms = MIGRATION_PATIENCE_MS;
  }

  override async releaseMigrationLock(): Promise<void> {
    this.#patience.ms = undefined;
  }
}
