import type { Kysely } from 'kysely';
import { idColumn, longTextColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Unsent mails, each with the data that it is composed from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mails')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    .addColumn('name', textColumn(64), (column) => column.notNull())
    .addColumn('data', longTextColumn, (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_at', timeColumn, (column) => column.notNull())
    .addColumn('created_at', timeColumn, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('mails_next_at').on('mails').column('next_at').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('mails').ifExists().execute();
}
