import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import type { Db } from './schema.js';
import { insertUnlessTaken } from './sql.js';

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
