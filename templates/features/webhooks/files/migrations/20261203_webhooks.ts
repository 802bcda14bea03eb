import type { Kysely } from 'kysely';
import { cascade, idColumn, longTextColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** The outbox: events, their deliveries and attempts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_events')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    .addColumn('name', textColumn(128), (column) => column.notNull())
    .addColumn('user_id', idColumn)
    .addColumn('body', longTextColumn, (column) => column.notNull())
    .addColumn('created_at', timeColumn, (column) => column.notNull())
    .execute();
  await index(db, 'webhook_events', ['created_at']);
  await index(db, 'webhook_events', ['user_id']);

  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    .addColumn('event_id', idColumn, (column) => column.notNull())
    .addColumn('webhook_id', idColumn, (column) => column.notNull())
    .addColumn('state', textColumn(16), (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_at', timeColumn, (column) => column.notNull())
    .addColumn('lease', idColumn)
    .addColumn('leased_until', timeColumn, (column) => column.notNull())
    .addColumn('created_at', timeColumn, (column) => column.notNull())
    .addForeignKeyConstraint(
      'webhook_deliveries_event',
      ['event_id'],
      'webhook_events',
      ['id'],
      cascade,
    )
    .addForeignKeyConstraint(
      'webhook_deliveries_webhook',
      ['webhook_id'],
      'webhook_configs',
      ['id'],
      cascade,
    )
    .execute();
  // For what is due at an endpoint, and for an endpoint's log.
  await index(db, 'webhook_deliveries', ['webhook_id', 'state', 'next_at']);
  await index(db, 'webhook_deliveries', ['webhook_id', 'created_at', 'id']);
  await index(db, 'webhook_deliveries', ['event_id']);

  await db.schema
    .createTable('webhook_attempts')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    .addColumn('delivery_id', idColumn, (column) => column.notNull())
    .addColumn('started_at', timeColumn, (column) => column.notNull())
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('response', longTextColumn)
    .addColumn('error', textColumn(256))
    .addForeignKeyConstraint(
      'webhook_attempts_delivery',
      ['delivery_id'],
      'webhook_deliveries',
      ['id'],
      cascade,
    )
    .execute();
  await index(db, 'webhook_attempts', ['delivery_id']);
}

async function index(db: Kysely<unknown>, table: string, columns: string[]): Promise<void> {
  const name = [table, ...columns].join('_');
  await db.schema.createIndex(name).on(table).columns(columns).execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['attempts', 'deliveries', 'events']) {
    await db.schema.dropTable(`webhook_${table}`).ifExists().execute();
  }
}
