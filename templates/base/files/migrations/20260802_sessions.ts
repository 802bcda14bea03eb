import { type Kysely, sql } from 'kysely';
import { idColumn, longTextColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Sign-ins that are under way, one row each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    .addColumn('user_id', idColumn, (column) => column.notNull())
    .addColumn('method', textColumn(32), (column) => column.notNull())
    .addColumn('created_at', timeColumn, (column) => column.notNull())
    .addColumn('authenticated_at', timeColumn, (column) => column.notNull())
    .addColumn('last_active_at', timeColumn, (column) => column.notNull())
    .addColumn('expires_at', timeColumn, (column) => column.notNull())
    .addColumn('refresh_id', idColumn, (column) => column.notNull())
    .addColumn('used_refresh_ids', longTextColumn, (column) =>
      column.notNull().defaultTo(sql`('[]')`),
    )
    .addColumn('rotated_at', timeColumn, (column) => column.notNull())
    .addColumn('user_agent', textColumn(512))
    .addColumn('ip_address', textColumn(64))
    .addForeignKeyConstraint('sessions_user', ['user_id'], 'users', ['id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute();
  await db.schema.createIndex('sessions_user_id').on('sessions').column('user_id').execute();
  await db.schema.createIndex('sessions_expires_at').on('sessions').column('expires_at').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('sessions').execute();
}
