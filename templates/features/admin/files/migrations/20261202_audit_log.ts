import type { Kysely } from 'kysely';
import { idColumn, longTextColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Who did what, to whom, when and from where. No foreign keys: entries outlive the accounts that they name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_log')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    .addColumn('occurred_at', timeColumn, (column) => column.notNull())
    .addColumn('action', textColumn(128), (column) => column.notNull())
    .addColumn('actor', textColumn(128))
    .addColumn('target', textColumn(400))
    .addColumn('details', longTextColumn, (column) => column.notNull())
    .addColumn('ip', textColumn(64))
    .addColumn('user_agent', longTextColumn)
    .addColumn('correlation_id', textColumn(128))
    .execute();
  for (const column of ['occurred_at', 'actor', 'target'] as const) {
    await db.schema.createIndex(`audit_log_${column}`).on('audit_log').column(column).execute();
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('audit_log').ifExists().execute();
}
