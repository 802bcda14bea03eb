import { Kysely } from 'kysely';
import type { Config } from '../config.js';
import type { Log } from '../log.js';
import { postgresDialect } from './dialect.js';
import { limitersOn } from './limiters.js';
import type { OpenDatabase } from './open-database.js';
import { openPool, takeConnection } from './pool.js';
import { preparedPool } from './prepared-pool.js';
import { forgetOldLimits } from './rate-limit-table.js';
import type { Db, Database as Tables } from './schema.js';

/**
 * Opens the PostgreSQL database of DATABASE_URL; migrations are not run. Throws if it cannot be
 * reached. Never use `db` inside a transaction of its own: enough of them at once would take every
 * connection and wait for each other.
 */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const pool = openPool(config, log);
  const db: Db = new Kysely<Tables>({ dialect: postgresDialect(preparedPool(pool)) });
  try {
    (await takeConnection(pool)).release();
  } catch (error) {
    await pool.end();
    throw error;
  }
  const stopForgetting = forgetOldLimits(db, log);
  return {
    db,
    createLimiter: limitersOn(pool, log),
    async close() {
      stopForgetting();
      await db.destroy();
      await pool.end();
    },
  };
}
