import type { Kysely } from 'kysely';
import { idColumn, longTextColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Linked accounts of providers, and links that wait for the owner's consent. */
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
    .addForeignKeyConstraint('linked_accounts_user', ['user_id'], 'users', ['id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('linked_accounts_user_id')
    .on('linked_accounts')
    .column('user_id')
    .execute();
  await db.schema
    .createTable('pending_links')
    .addColumn('email', textColumn(254), (column) => column.notNull())
    .addColumn('provider', textColumn(64), (column) => column.notNull())
    .addColumn('provider_account_id', textColumn(255), (column) => column.notNull())
    .addColumn('name', longTextColumn)
    .addColumn('picture', longTextColumn)
    .addColumn('browser_hash', textColumn(64), (column) => column.notNull())
    .addColumn('expires_at', timeColumn, (column) => column.notNull())
    .addPrimaryKeyConstraint('pending_links_pk', ['email', 'provider', 'provider_account_id'])
    .execute();
  await db.schema
    .createIndex('pending_links_expires_at')
    .on('pending_links')
    .column('expires_at')
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('pending_links').ifExists().execute();
  await db.schema.dropTable('linked_accounts').ifExists().execute();
}
