import { Kysely } from 'kysely';
import type { Config } from '../config.js';
import type { Log } from '../log.js';
import { mysqlDialect } from './dialect.js';
import { limitersOn } from './limiters.js';
import type { OpenDatabase } from './open-database.js';
import { endPool, openPool, takeConnection } from './pool.js';
import { preparedPool } from './prepared-pool.js';
import { forgetOldLimits } from './rate-limit-table.js';
import type { Db, Database as Tables } from './schema.js';

/**
 * Opens the MySQL or MariaDB database of DATABASE_URL; migrations are not run. Throws if it cannot be
 * reached. Never use `db` inside a transaction of its own: enough of them at once would take every
 * connection and wait for each other.
 */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const pool = openPool(config);
  const db: Db = new Kysely<Tables>({ dialect: mysqlDialect(preparedPool(pool)) });
  try {
    (await takeConnection(pool)).release();
  } catch (error) {
    await endPool(pool);
    throw error;
  }
  const stopForgetting = forgetOldLimits(db, log);
  const name = decodeURIComponent(new URL(config.DATABASE_URL).pathname.slice(1));
  return {
    db,
    createLimiter: limitersOn(pool, name, log),
    async close() {
      stopForgetting();
      await db.destroy();
      await endPool(pool);
    },
  };
}
