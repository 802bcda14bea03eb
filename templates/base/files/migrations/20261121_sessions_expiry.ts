import type { Kysely } from 'kysely';
import { dropIndex } from '../src/db/drop-index.js';

/** The end of a session moves with each refresh: an index of it costs more than it serves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await dropIndex(db, 'sessions', 'sessions_expires_at');
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('sessions_expires_at').on('sessions').column('expires_at').execute();
}
