import type { Kysely } from 'kysely';
import { idColumn, longTextColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Sign-ins under way at a provider. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('oauth_states')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    .addColumn('browser_hash', textColumn(64), (column) => column.notNull())
    .addColumn('sealed', longTextColumn, (column) => column.notNull())
    .addColumn('expires_at', timeColumn, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('oauth_states_expires_at')
    .on('oauth_states')
    .column('expires_at')
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('oauth_states').ifExists().execute();
}
