import type { Kysely } from 'kysely';
import { idColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Phones of users. Not unique: one phone may serve several accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('phone_numbers')
    .addColumn('user_id', idColumn, (column) => column.primaryKey())
    .addColumn('phone_number', textColumn(32))
    .addColumn('pending_number', textColumn(32))
    .addColumn('verified_at', timeColumn)
    .addForeignKeyConstraint('phone_numbers_user', ['user_id'], 'users', ['id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('phone_numbers').execute();
}
