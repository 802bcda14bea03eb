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
  for (const columns of [['occurred_at', 'id'], ['actor'], ['target']]) {
    const name = `audit_log_${columns[0]}`;
    await db.schema.createIndex(name).on('audit_log').columns(columns).execute();
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('audit_log').ifExists().execute();
}
