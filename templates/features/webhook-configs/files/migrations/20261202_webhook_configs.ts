import type { Kysely } from 'kysely';
import { idColumn, longTextColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Outgoing and inbound webhooks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_configs')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    .addColumn('url', longTextColumn)
    .addColumn('events', longTextColumn, (column) => column.notNull())
    .addColumn('sealed_secret', longTextColumn)
    .addColumn('former_secret', longTextColumn)
    .addColumn('former_until', timeColumn, (column) => column.notNull().defaultTo(0))
    .addColumn('is_active', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('tenant_id', textColumn(128))
    .addColumn('max_retries', 'integer', (column) => column.notNull().defaultTo(3))
    .addColumn('retry_delay_ms', 'integer', (column) => column.notNull().defaultTo(1_000))
    // Unique: with two webhooks for a provider it would be arbitrary which script runs.
    .addColumn('provider', textColumn(64), (column) => column.unique())
    .addColumn('signature', textColumn(32), (column) => column.notNull().defaultTo('service'))
    .addColumn('allowed_actions', longTextColumn, (column) => column.notNull())
    .addColumn('js_script', longTextColumn)
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('paused_until', timeColumn, (column) => column.notNull().defaultTo(0))
    .addColumn('exhausted_since', timeColumn)
    .addColumn('created_at', timeColumn, (column) => column.notNull())
    .addColumn('updated_at', timeColumn, (column) => column.notNull())
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('webhook_configs').ifExists().execute();
}
