import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  PostgresQueryCompiler,
  sql,
} from 'kysely';

/** Kysely's PostgreSQL, the same whatever the server's defaults are. */
export function postgresDialect(pool: PostgresPool): Dialect {
  return {
    createAdapter: () => new PatientAdapter(),
    createDriver: () => new ReadCommittedDriver({ pool }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/**
 * Each statement sees what is committed when it begins. The stores rely on it: after a lost race the
 * next statement finds what the winner made.
 */
class ReadCommittedDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin isolation level read committed'));
  }
}

/** Migrations, and other instances waiting for them, may take longer than a request's statement. */
class PatientAdapter extends PostgresAdapter {
  override async acquireMigrationLock(
    ...[db, options]: Parameters<PostgresAdapter['acquireMigrationLock']>
  ): Promise<void> {
    await sql`set statement_timeout = 0`.execute(db);
    await super.acquireMigrationLock(db, options);
  }

  override async releaseMigrationLock(
    ...[db, options]: Parameters<PostgresAdapter['releaseMigrationLock']>
  ): Promise<void> {
    await super.releaseMigrationLock(db, options);
    await sql`reset statement_timeout`.execute(db);
  }
}
