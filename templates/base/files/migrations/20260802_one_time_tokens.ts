import { type Kysely, sql } from 'kysely';
import { idColumn, longTextColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Secrets that were mailed or texted, by their hash. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('one_time_tokens')
    .addColumn('token_hash', textColumn(64), (column) => column.primaryKey())
    .addColumn('kind', textColumn(32), (column) => column.notNull())
    .addColumn('user_id', idColumn, (column) => column.notNull())
    .addColumn('payload', longTextColumn, (column) => column.notNull().defaultTo(sql`('')`))
    .addColumn('expires_at', timeColumn, (column) => column.notNull())
    // One of each kind: a new token voids the older one, even if both are made at once. The user
    // comes first, so that the constraint also serves the look-up by user.
    .addUniqueConstraint('one_time_tokens_user_kind', ['user_id', 'kind'])
    .addForeignKeyConstraint('one_time_tokens_user', ['user_id'], 'users', ['id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('one_time_tokens_expires_at')
    .on('one_time_tokens')
    .column('expires_at')
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('one_time_tokens').execute();
}
