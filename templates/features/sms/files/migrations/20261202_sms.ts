import { type Kysely, sql } from 'kysely';
import { idColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Phones of users, and codes that were texted. A phone is not unique: one may serve several accounts. */
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

  await db.schema
    .createTable('sms_codes')
    .addColumn('user_id', idColumn, (column) => column.notNull())
    .addColumn('purpose', textColumn(32), (column) => column.notNull())
    .addColumn('code_hash', textColumn(64), (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(sql`0`))
    .addColumn('expires_at', timeColumn, (column) => column.notNull())
    .addPrimaryKeyConstraint('sms_codes_pk', ['user_id', 'purpose'])
    .addForeignKeyConstraint('sms_codes_user', ['user_id'], 'users', ['id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('sms_codes_expires_at')
    .on('sms_codes')
    .column('expires_at')
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('sms_codes').ifExists().execute();
  await db.schema.dropTable('phone_numbers').ifExists().execute();
}
