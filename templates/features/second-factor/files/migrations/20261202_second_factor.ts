import type { Kysely } from 'kysely';
import { idColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Sign-ins that wait for their second factor. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('login_challenges')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    .addColumn('user_id', idColumn, (column) => column.notNull())
    .addColumn('method', textColumn(32), (column) => column.notNull())
    .addColumn('provider', textColumn(64))
    .addColumn('expires_at', timeColumn, (column) => column.notNull())
    .addForeignKeyConstraint('login_challenges_user', ['user_id'], 'users', ['id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('login_challenges_expires_at')
    .on('login_challenges')
    .column('expires_at')
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('login_challenges').ifExists().execute();
}
