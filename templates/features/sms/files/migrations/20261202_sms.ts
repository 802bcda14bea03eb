import type { Kysely } from 'kysely';
import { cascade, idColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Verified phones of users. A phone is not unique: one may serve several accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('phone_numbers')
    .addColumn('user_id', idColumn, (column) => column.primaryKey())
    .addColumn('phone_number', textColumn(32), (column) => column.notNull())
    .addColumn('verified_at', timeColumn, (column) => column.notNull())
    .addForeignKeyConstraint('phone_numbers_user', ['user_id'], 'users', ['id'], cascade)
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('phone_numbers').ifExists().execute();
}
