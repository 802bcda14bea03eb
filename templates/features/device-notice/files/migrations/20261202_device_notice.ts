import type { Kysely } from 'kysely';
import { cascade, idColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Devices that have signed in to an account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('known_devices')
    .addColumn('user_id', idColumn, (column) => column.notNull())
    .addColumn('device_hash', textColumn(64), (column) => column.notNull())
    .addColumn('first_seen_at', timeColumn, (column) => column.notNull())
    .addPrimaryKeyConstraint('known_devices_pk', ['user_id', 'device_hash'])
    .addForeignKeyConstraint('known_devices_user', ['user_id'], 'users', ['id'], cascade)
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('known_devices').ifExists().execute();
}
