import { sql } from 'kysely';
import { pendingMigrations } from './migrate.js';
import type { Db } from './schema.js';

const migrated = new WeakSet<Db>();

/**
 * True if no migration is pending. Rejects if the database does not answer. Once there is none, only
 * that is asked: anybody may ask, as often as they like, and to list migrations takes many queries.
 */
export async function isMigrated(db: Db): Promise<boolean> {
  if (!migrated.has(db)) {
    if ((await pendingMigrations(db)).length > 0) return false;
    migrated.add(db);
  }
  await sql`select 1`.execute(db);
  return true;
}
