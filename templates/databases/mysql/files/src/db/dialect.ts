import {
  type Dialect,
  MysqlAdapter,
  MysqlDriver,
  MysqlIntrospector,
  type MysqlPool,
  MysqlQueryCompiler,
  sql,
} from 'kysely';
import { migrationSteps } from './migration-steps.js';
import { withoutStatementLimit, withStatementLimit } from './session.js';

const LOCK_WAIT_SECONDS = 3600;

/** Kysely's MySQL, for MariaDB as well. */
export function mysqlDialect(pool: MysqlPool): Dialect {
  return {
    createAdapter: () => new PatientAdapter(),
    createDriver: () => new MysqlDriver({ pool }),
    createIntrospector: (db) => new MysqlIntrospector(db),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  };
}

/** Locks of `get_lock` hold for the whole server: the name says which database is migrated. */
const lockName = sql`concat('migrations-', left(sha2(database(), 256), 40))`;

class PatientAdapter extends MysqlAdapter {
  override async acquireMigrationLock(
    ...[db]: Parameters<MysqlAdapter['acquireMigrationLock']>
  ): Promise<void> {
    await sql.raw(withoutStatementLimit).execute(db);
    const lock = sql<{
      isHeld: number | null;
    }>`select get_lock(${lockName}, ${LOCK_WAIT_SECONDS}) as isHeld`;
    const { rows } = await lock.execute(db);
    if (rows[0]?.isHeld !== 1)
      throw new Error('Another process migrates this database, and does not end.');
  }

  override async releaseMigrationLock(
    ...[db]: Parameters<MysqlAdapter['releaseMigrationLock']>
  ): Promise<void> {
    // Also called when the lock was not to be had.
    const held = sql<{
      isOwn: number;
    }>`select is_used_lock(${lockName}) = connection_id() as isOwn`;
    const { rows } = await held.execute(db);
    if (rows[0]?.isOwn === 1) await migrationSteps(db).tidyUp();
    await sql`select release_lock(${lockName})`.execute(db);
    await sql.raw(withStatementLimit).execute(db);
  }
}
