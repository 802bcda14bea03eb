import { type Kysely, sql } from 'kysely';
import { cascade, idColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Authenticator apps and their recovery codes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('totp_secrets')
    .addColumn('user_id', idColumn, (column) => column.primaryKey())
    .addColumn('secret', textColumn(255))
    .addColumn('pending_secret', textColumn(255))
    .addColumn('last_step', timeColumn, (column) => column.notNull().defaultTo(sql`0`))
    .addForeignKeyConstraint('totp_secrets_user', ['user_id'], 'users', ['id'], cascade)
    .execute();
  await db.schema
    .createTable('recovery_codes')
    .addColumn('user_id', idColumn, (column) => column.notNull())
    .addColumn('code_hash', textColumn(64), (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_codes_pk', ['user_id', 'code_hash'])
    .addForeignKeyConstraint('recovery_codes_user', ['user_id'], 'users', ['id'], cascade)
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('recovery_codes').ifExists().execute();
  await db.schema.dropTable('totp_secrets').ifExists().execute();
}
