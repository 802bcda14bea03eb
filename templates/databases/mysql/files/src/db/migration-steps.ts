import { type Kysely, sql } from 'kysely';
import { textColumn } from './columns.js';

/** How far a run of a migration has come. */
export interface Steps {
  isUp: boolean;
  /** Statements that have been run. */
  done: number;
  /** Of their texts. */
  digest: string;
  /**
   * The digest up to the next statement, if that may have been run as well: no transaction holds both
   * a change of tables and a note of it.
   */
  inDoubt: string | null;
}

type StepsTables = {
  migration_steps: {
    name: string;
    is_up: number;
    done: number;
    digest: string;
    in_doubt: string | null;
  };
  kysely_migration: { name: string };
};

/** The notes of migrations that run. Their table is there only while one does, or has ended half-way. */
export function migrationSteps(anyDb: Kysely<unknown>) {
  const db: Kysely<StepsTables> = anyDb.withTables<StepsTables>();

  return {
    /** What is noted of a migration that has ended half-way. */
    async find(name: string): Promise<Steps | undefined> {
      if (!(await isThere())) return undefined;
      const row = await db
        .selectFrom('migration_steps')
        .selectAll()
        .where('name', '=', name)
        .executeTakeFirst();
      if (!row) return undefined;
      return { isUp: row.is_up === 1, done: row.done, digest: row.digest, inDoubt: row.in_doubt };
    },

    /** Another migration than this one that has ended half-way. */
    async findOther(name: string): Promise<string | undefined> {
      if (!(await isThere())) return undefined;
      const row = await db
        .selectFrom('migration_steps')
        .select('name')
        .where('name', '!=', name)
        .where('name', 'not in', db.selectFrom('kysely_migration').select('name'))
        .executeTakeFirst();
      return row?.name;
    },

    /** Notes that a migration begins. */
    async begin(name: string, isUp: boolean): Promise<Steps> {
      await db.schema
        .createTable('migration_steps')
        .ifNotExists()
        .addColumn('name', textColumn(255), (column) => column.primaryKey())
        .addColumn('is_up', 'integer', (column) => column.notNull())
        .addColumn('done', 'integer', (column) => column.notNull())
        .addColumn('digest', textColumn(64), (column) => column.notNull())
        .addColumn('in_doubt', textColumn(64))
        .execute();
      const begun = { isUp, done: 0, digest: '', inDoubt: null };
      await save(name, begun);
      return begun;
    },

    save,

    async forget(name: string): Promise<void> {
      await db.deleteFrom('migration_steps').where('name', '=', name).execute();
    },

    /** From here on the migration counts as one that has not been run. */
    async markPending(name: string): Promise<void> {
      await db.deleteFrom('kysely_migration').where('name', '=', name).execute();
    },

    /** Forgets those that are recorded as executed, and drops the table unless others are left. */
    async tidyUp(): Promise<void> {
      if (!(await isThere())) return;
      const executed = db.selectFrom('kysely_migration').select('name');
      await db.deleteFrom('migration_steps').where('name', 'in', executed).execute();
      const left = await db.selectFrom('migration_steps').select('name').limit(1).execute();
      if (left.length === 0) await db.schema.dropTable('migration_steps').execute();
    },
  };

  async function isThere(): Promise<boolean> {
    const { rows } = await sql`select 1 from information_schema.tables
      where table_schema = database() and table_name = 'migration_steps'`.execute(db);
    return rows.length > 0;
  }

  async function save(name: string, { isUp, done, digest, inDoubt }: Steps): Promise<void> {
    const row = { is_up: isUp ? 1 : 0, done, digest, in_doubt: inDoubt };
    await db
      .insertInto('migration_steps')
      .values({ name, ...row })
      .onDuplicateKeyUpdate(row)
      .execute();
  }
}
