import { setImmediate } from 'node:timers/promises';
import {
  type Compilable,
  type CompiledQuery,
  type Expression,
  type QueryResult,
  sql,
} from 'kysely';
import type { Database, Db } from './schema.js';
import { insertUnlessTaken, withoutTimeout } from './sql.js';

/**
 * A query that is compiled on its first use and then only bound, in transactions too: building and
 * compiling cost more than running it, and the queries behind every request run all the time.
 * `build` binds values and must not read them: at first use it is given their names instead.
 */
export function compileOnce<Values extends object, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined;
  return (db, values) => {
    compiled ??= build(db, namesOf(values)).compile();
    const names = compiled.parameters as (keyof Values)[];
    return db.executeQuery({ ...compiled, parameters: names.map((name) => values[name]) });
  };
}

function namesOf<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.keys(values).map((name) => [name, name])) as Values;
}

/** An update or a deletion of one row, not run yet. */
interface Change {
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint } | { numDeletedRows: bigint }>;
}

/** Runs a change; false if there is no such row, or no longer: of parallel changes exactly one finds it. */
export async function affectsRow(change: Change): Promise<boolean> {
  const result = await change.executeTakeFirst();
  return ('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows) > 0n;
}

type Insert = Parameters<typeof insertUnlessTaken>[0];

/** Updates a row, or inserts it if there is none; of parallel calls the later one wins. */
export async function updateOrInsert(update: Change, insert: Insert): Promise<void> {
  if (await affectsRow(update)) return;
  if (!(await insertUnlessTaken(insert))) await affectsRow(update);
}

/**
 * Deletes the rows that meet a condition, and what depends on them, a hundred at a time: in between, requests get
 * their turn. Not in a transaction, where others would wait for all of it.
 */
export async function deletePages(
  db: Db,
  table: keyof Database,
  condition: Expression<unknown>,
  primaryKey = 'id',
): Promise<void> {
  const [rows, id] = [sql.table(table), sql.ref(primaryKey)];
  const page = sql<{ id: string }>`select ${id} as id from ${rows} where ${condition} limit 100`;
  for (;;) {
    const found = (await page.execute(db)).rows;
    if (found.length === 0) return;
    const ids = sql.join(found.map((row) => row.id));
    // The condition again: a row may have changed since it was found.
    const deletion = sql`delete from ${rows} where ${id} in (${ids}) and (${condition})`;
    await deletion.execute(withoutTimeout(db));
    await setImmediate();
  }
}
