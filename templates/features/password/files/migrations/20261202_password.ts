import type { Kysely } from 'kysely';
import { cascade, idColumn, textColumn } from '../src/db/columns.js';

/** Password hashes, apart from the users: an account need not have one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passwords')
    .addColumn('user_id', idColumn, (column) => column.primaryKey())
    .addColumn('hash', textColumn(255), (column) => column.notNull())
    .addForeignKeyConstraint('passwords_user', ['user_id'], 'users', ['id'], cascade)
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('passwords').ifExists().execute();
}
