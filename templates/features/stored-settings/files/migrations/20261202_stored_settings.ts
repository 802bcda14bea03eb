import type { Kysely } from 'kysely';
import { longTextColumn, textColumn } from '../src/db/columns.js';

/** Settings that administrators have changed while the service runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stored_settings')
    .addColumn('name', textColumn(64), (column) => column.primaryKey())
    .addColumn('value', longTextColumn, (column) => column.notNull())
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('stored_settings').ifExists().execute();
}
