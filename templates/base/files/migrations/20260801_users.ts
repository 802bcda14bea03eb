import { type Kysely, sql } from 'kysely';
import { idColumn, longTextColumn, textColumn, timeColumn } from '../src/db/columns.js';

/** Accounts and what they may do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    // RFC 5321 §4.5.3.1: 64 for the local part, 255 for the domain, and the @.
    .addColumn('email', textColumn(320), (column) => column.notNull().unique())
    .addColumn('email_verified_at', timeColumn)
    .addColumn('login_provider', textColumn(64), (column) => column.notNull())
    .addColumn('metadata', longTextColumn, (column) => column.notNull().defaultTo(sql`('{}')`))
    .addColumn('disabled_at', timeColumn)
    .addColumn('created_at', timeColumn, (column) => column.notNull())
    .addColumn('updated_at', timeColumn, (column) => column.notNull())
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
    .addForeignKeyConstraint('user_roles_user', ['user_id'], 'users', ['id'], (key) =>
      key.onDelete('cascade'),
    )
    .addForeignKeyConstraint('user_roles_role', ['role_name'], 'roles', ['name'], (key) =>
      key.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('user_roles_role_name')
    .on('user_roles')
    .column('role_name')
    .execute();

  await sql`insert into roles (name, permissions) values ('admin', '["*:*"]'), ('user', '[]')`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('user_roles').execute();
  await db.schema.dropTable('roles').execute();
  await db.schema.dropTable('users').execute();
}
