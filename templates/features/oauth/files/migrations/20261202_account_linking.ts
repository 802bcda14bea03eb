import type { Kysely } from 'kysely';
import { cascade, idColumn, longTextColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Linked accounts of providers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('linked_accounts')
    .addColumn('provider', textColumn(64), (column) => column.notNull())
    .addColumn('provider_account_id', textColumn(255), (column) => column.notNull())
    .addColumn('user_id', idColumn, (column) => column.notNull())
    .addColumn('email', textColumn(254))
    .addColumn('name', longTextColumn)
    .addColumn('picture', longTextColumn)
    .addColumn('linked_at', timeColumn, (column) => column.notNull())
    .addPrimaryKeyConstraint('linked_accounts_pk', ['provider', 'provider_account_id'])
    .addForeignKeyConstraint('linked_accounts_user', ['user_id'], 'users', ['id'], cascade)
    .execute();
  await db.schema
    .createIndex('linked_accounts_user_id')
    .on('linked_accounts')
    .column('user_id')
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('linked_accounts').ifExists().execute();
}
