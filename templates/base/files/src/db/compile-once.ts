import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import type { Db } from './schema.js';

/**
 * A query that is compiled on its first use and then only bound: building and compiling costs more
 * than running it, and the queries behind every request run all the time.
 * `build` must use each of its arguments once, in order, and no other value: checked at first use.
 */
export function compileOnce<Args extends unknown[], Row>(
  db: Db,
  build: (...args: Args) => Compilable<Row>,
): (...args: Args) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined;
  return (...args) => {
    compiled ??= compileFor(build, args);
    return db.executeQuery({ ...compiled, parameters: args });
  };
}

function compileFor<Args extends unknown[], Row>(
  build: (...args: Args) => Compilable<Row>,
  args: Args,
): CompiledQuery<Row> {
  const compiled = build(...args).compile();
  const isBoundInOrder =
    compiled.parameters.length === args.length &&
    compiled.parameters.every((parameter, index) => parameter === args[index]);
  if (!isBoundInOrder) throw new Error(`compileOnce: arguments out of order in ${compiled.sql}`);
  return compiled;
}
