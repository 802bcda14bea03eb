import { type Kysely, sql } from 'kysely';
import { cascade, idColumn, longTextColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Accounts with their roles, sessions and one-time tokens, and the counts of rate limits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    // RFC 5321 §4.5.3.1: 64 for the local part, 255 for the domain, and the @.
    .addColumn('email', textColumn(320), (column) => column.notNull().unique())
    .addColumn('email_verified_at', timeColumn)
    .addColumn('email_proven_at', timeColumn)
    .addColumn('login_provider', textColumn(64), (column) => column.notNull())
    .addColumn('metadata', longTextColumn, (column) => column.notNull().defaultTo(sql`('{}')`))
    .addColumn('disabled_at', timeColumn)
    .addColumn('created_at', timeColumn, (column) => column.notNull())
    .execute();

  // For lists, the newest first.
  await db.schema
    .createIndex('users_created_at')
    .on('users')
    .columns(['created_at', 'id'])
    .execute();

  await db.schema
    .createTable('roles')
    .addColumn('name', textColumn(64), (column) => column.primaryKey())
    .addColumn('permissions', longTextColumn, (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('user_roles')
    .addColumn('user_id', idColumn, (column) => column.notNull())
    .addColumn('role_name', textColumn(64), (column) => column.notNull())
    .addColumn('assigned_at', timeColumn, (column) => column.notNull())
    .addPrimaryKeyConstraint('user_roles_pk', ['user_id', 'role_name'])
    .addForeignKeyConstraint('user_roles_user', ['user_id'], 'users', ['id'], cascade)
    .addForeignKeyConstraint('user_roles_role', ['role_name'], 'roles', ['name'], cascade)
    .execute();
  await db.schema
    .createIndex('user_roles_role_name')
    .on('user_roles')
    .column('role_name')
    .execute();

  await sql`insert into roles (name, permissions) values ('admin', '["*:*"]'), ('user', '[]')`.execute(
    db,
  );

  await db.schema
    .createTable('sessions')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    .addColumn('user_id', idColumn, (column) => column.notNull())
    .addColumn('factors', longTextColumn, (column) => column.notNull())
    .addColumn('created_at', timeColumn, (column) => column.notNull())
    .addColumn('last_active_at', timeColumn, (column) => column.notNull())
    .addColumn('expires_at', timeColumn, (column) => column.notNull())
    .addColumn('refresh_id', idColumn, (column) => column.notNull())
    .addColumn('used_refresh_ids', longTextColumn, (column) =>
      column.notNull().defaultTo(sql`('[]')`),
    )
    .addColumn('user_agent', textColumn(512))
    .addColumn('ip_address', textColumn(64))
    .addForeignKeyConstraint('sessions_user', ['user_id'], 'users', ['id'], cascade)
    .execute();
  await db.schema.createIndex('sessions_user_id').on('sessions').column('user_id').execute();

  // Secrets that were mailed or texted, by their hash.
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
    .addForeignKeyConstraint('one_time_tokens_user', ['user_id'], 'users', ['id'], cascade)
    .execute();
  await db.schema
    .createIndex('one_time_tokens_expires_at')
    .on('one_time_tokens')
    .column('expires_at')
    .execute();

  // The shape that rate-limiter-flexible expects.
  await db.schema
    .createTable('rate_limits')
    .addColumn('key', textColumn(255), (column) => column.primaryKey())
    .addColumn('points', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('expire', timeColumn)
    .execute();
  await db.schema.createIndex('rate_limits_expire').on('rate_limits').column('expire').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('rate_limits').ifExists().execute();
  await db.schema.dropTable('one_time_tokens').ifExists().execute();
  await db.schema.dropTable('sessions').ifExists().execute();
  await db.schema.dropTable('user_roles').ifExists().execute();
  await db.schema.dropTable('roles').ifExists().execute();
  await db.schema.dropTable('users').ifExists().execute();
}
