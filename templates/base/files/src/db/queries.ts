import {
  type Compilable,
  type CompiledQuery,
  type Expression,
  type QueryResult,
  type SqlBool,
  sql,
} from 'kysely';
import type { Db } from './schema.js';
import { insertUnlessTaken } from './sql.js';

/**
 * A query that is compiled on its first use and then only bound, in transactions too: building and
 * compiling cost more than running it, and the queries behind every request run all the time.
 * `build` must use each of its arguments once, in order, and no other value: checked at first use.
 */
export function compileOnce<Args extends unknown[], Row>(
  build: (db: Db, ...args: Args) => Compilable<Row>,
): (db: Db, ...args: Args) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined;
  return (db, ...args) => {
    compiled ??= boundInOrder(build(db, ...args).compile(), args);
    return db.executeQuery({ ...compiled, parameters: args });
  };
}

function boundInOrder<Row>(compiled: CompiledQuery<Row>, args: unknown[]): CompiledQuery<Row> {
  const isBoundInOrder =
    compiled.parameters.length === args.length &&
    compiled.parameters.every((parameter, index) => parameter === args[index]);
  if (!isBoundInOrder) throw new Error(`compileOnce: arguments out of order in ${compiled.sql}`);
  return compiled;
}

/**
 * Whether a column contains a text, ignoring case, the same on every database. Wildcards of `like`
 * are escaped.
 */
export function contains(column: Expression<string | null>, text: string): Expression<SqlBool> {
  const pattern = `%${text.toLowerCase().replace(/[!%_]/g, '!$&')}%`;
  return sql<SqlBool>`lower(${column}) like ${pattern} escape '!'`;
}

/** An update or a deletion of one row, not run yet. */
interface Change {
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint } | { numDeletedRows: bigint }>;
}

/** Runs a change; false if there was no such row, or it is gone: of parallel changes exactly one finds it. */
export async function changesRow(change: Change): Promise<boolean> {
  const result = await change.executeTakeFirst();
  return ('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows) > 0n;
}

type Insert = Parameters<typeof insertUnlessTaken>[0];

/** Updates a row, or inserts it if there is none; of parallel calls the later one wins. */
export async function updateOrInsert(update: Change, insert: Insert): Promise<void> {
  if (await changesRow(update)) return;
  if (!(await insertUnlessTaken(insert))) await changesRow(update);
}
