import type { Kysely } from 'kysely';
import { idColumn, timeColumn } from '../src/db/columns.js';

/** Used `state` values of sign-ins at a provider. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('oauth_used_states')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    .addColumn('expires_at', timeColumn, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('oauth_used_states_expires_at')
    .on('oauth_used_states')
    .column('expires_at')
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('oauth_used_states').ifExists().execute();
}
