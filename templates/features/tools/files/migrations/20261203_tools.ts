import type { Kysely } from 'kysely';
import { cascade, idColumn, longTextColumn, timeColumn } from '../src/db/columns.js';

/** Runs of the scripts of inbound webhooks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_runs')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    .addColumn('webhook_id', idColumn, (column) => column.notNull())
    .addColumn('started_at', timeColumn, (column) => column.notNull())
    .addColumn('run', longTextColumn, (column) => column.notNull())
    .addForeignKeyConstraint(
      'webhook_runs_webhook',
      ['webhook_id'],
      'webhook_configs',
      ['id'],
      cascade,
    )
    .execute();
  await db.schema
    .createIndex('webhook_runs_webhook_id_started_at')
    .on('webhook_runs')
    .columns(['webhook_id', 'started_at'])
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('webhook_runs').ifExists().execute();
}
