import {
  type CompiledQuery,
  type Expression,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type Migration,
  type QueryResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import { type Run, wrapStatements } from './database.js';
import { isAlreadySo, isRefusal, isUniqueViolation } from './errors.js';
import type { Db } from './schema.js';

export { withoutTimeout } from './server-statements.js';

/**
 * Runs an insert; false if a unique value of the row is taken. The transaction stays usable. Not `insert
 * ignore`, which would also truncate a text that is too long.
 */
export async function insertUnlessTaken<DB, TB extends keyof DB>(
  query: InsertQueryBuilder<DB, TB, InsertResult>,
): Promise<boolean> {
  try {
    await query.execute();
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/**
 * An aggregate: JSON text with an array of values for each row; `[]` for no rows. Cast to text, because the
 * driver would parse MySQL's JSON type, which MariaDB lacks.
 */
export function jsonRows(values: Expression<unknown>[]): RawBuilder<string> {
  return sql<string>`cast(coalesce(json_arrayagg(json_array(${sql.join(values)})), '[]') as char)`;
}

/** The text at a key of a JSON object that is stored as text. */
export function jsonText(column: Expression<string>, key: string): Expression<string | null> {
  return sql`json_unquote(json_extract(${column}, ${`$.${key}`}))`;
}

/** True if there is such a table. Kysely would list all columns of all tables, which takes 12 ms. */
export async function hasTable(db: Db, name: string): Promise<boolean> {
  const found = sql`
    select 1 from information_schema.tables where table_schema = schema() and table_name = ${name}`;
  return (await found.execute(db)).rows.length > 0;
}

/** Locks the rows of a query: other transactions can neither change nor lock them until this one ends. */
export function locked<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): SelectQueryBuilder<DB, TB, Row> {
  return query.forUpdate();
}

/** Statements that change nothing, or only the connection's settings, run every time. */
const REPEATABLE = /^[\s(]*(?:select|with|show|set|begin|commit|rollback|savepoint)\b/i;

/** How far an earlier run got. */
interface Progress {
  /** Statements that have run. */
  done: number;
  /** 1 if one more may have run: the process died before it was saved. */
  in_doubt: number;
}

/**
 * A migration that the next `up` continues if this one is interrupted. These servers commit each schema
 * change at once: without a record of how many statements have run, the next run would fail on what this
 * one has created. The record is a table that exists until the migration is recorded as executed.
 */
export function resumable(name: string, migration: Migration): Migration {
  const table = sql.table(`unfinished_${name}`);

  async function earlierRun(db: Kysely<unknown>): Promise<Progress> {
    await sql`create table if not exists ${table} (done integer, in_doubt integer)`.execute(db);
    const { rows } = await sql<Progress>`select done, in_doubt from ${table}`.execute(db);
    if (rows.length === 0) await sql`insert into ${table} values (0, 1)`.execute(db);
    return rows[0] ?? { done: 0, in_doubt: 0 };
  }

  return {
    ...migration,
    async up(db) {
      const earlier = await earlierRun(db);
      // Migrations have a connection of their own.
      const connection = await db.getExecutor().provideConnection(async (provided) => provided);
      const { executeQuery } = connection;
      wrapStatements(connection, (run) =>
        stepByStep(run, earlier, async ({ done, in_doubt }) => {
          const save = sql`update ${table} set done = ${done}, in_doubt = ${in_doubt}`;
          await run(save.compile(db));
        }),
      );
      try {
        await migration.up(db);
      } finally {
        connection.executeQuery = executeQuery;
      }
    },
    async down(db) {
      await migration.down?.(db);
      await sql`drop table if exists ${table}`.execute(db);
    },
  };
}

/**
 * Drops the records of executed migrations. Not at the end of `up`: if the process died before the
 * migration is recorded as executed, the next run would start it from the beginning.
 */
export async function forgetSteps(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const finished = rows.map(({ name }) => `unfinished_${name}`);
  const tables = sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = schema()`;
  for (const { name } of (await tables.execute(db)).rows) {
    if (finished.includes(name)) await sql`drop table if exists ${sql.table(name)}`.execute(db);
  }
}

/** Skips the statements of an earlier run, and saves the number of statements after each. */
function stepByStep(run: Run, earlier: Progress, save: (progress: Progress) => Promise<void>): Run {
  let done = 0;

  async function step<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await run(query);
    } catch (error) {
      const isInDoubt = done === earlier.done && earlier.in_doubt === 1;
      if (isInDoubt && isAlreadySo(error)) return { rows: [] };
      if (isRefusal(error)) await save({ done, in_doubt: 0 });
      throw error;
    }
  }

  return async <Row>(query: CompiledQuery) => {
    if (REPEATABLE.test(query.sql)) return run<Row>(query);
    const result = done < earlier.done ? { rows: [] } : await step<Row>(query);
    done += 1;
    if (done > earlier.done) await save({ done, in_doubt: 1 });
    return result;
  };
}
