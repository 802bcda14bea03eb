import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';

/** Where a row stands in a list, by its time and, among those of one time, by its id. */
export type Position = [time: number, id: string];

/** What part of a list is wanted: the rows from `offset` on, or those that follow a position. */
export interface Page {
  limit: number;
  offset: number;
  /** In place of `offset`; `start` for the first rows. */
  after?: Position | 'start' | undefined;
}

/** What there is beside a page. */
export interface Rest {
  /** The number of all rows, of a page by `offset`. */
  total?: number;
  /** What a page by position goes on after; null at the end. */
  next?: Position | null;
}

/**
 * One page of a query's rows, the latest first. A page by position counts nothing and skips nothing: with an
 * index on the columns of `order` it costs the same in a list of any length. The query must select no aggregate.
 */
export async function readPage<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  { limit, offset, after }: Page,
  order: [time: string, id: string],
): Promise<{ rows: Row[]; rest: Rest }> {
  const [time, id] = [sql.ref<number>(order[0]), sql.ref<string>(order[1])];
  const latestFirst = query.orderBy(time, 'desc').orderBy(id, 'desc');
  if (after === undefined) {
    const rows = await latestFirst.limit(limit).offset(offset).execute();
    return { rows, rest: { total: await countRows(query) } };
  }
  const following = after === 'start' ? latestFirst : latestFirst.where(isBehind(time, id, after));
  const rows = await following
    .select([time.as('position_time'), id.as('position_id')])
    // The row after the page tells whether there is another one.
    .limit(limit + 1)
    .$castTo<Row & { position_time: number; position_id: string }>()
    .execute();
  const last = rows[limit - 1];
  const next: Position | null =
    last && rows.length > limit ? [Number(last.position_time), last.position_id] : null;
  return { rows: rows.slice(0, limit), rest: { next } };
}

/** The first comparison is what an index answers; databases do not find it in the second one. */
function isBehind(
  time: Expression<number>,
  id: Expression<string>,
  [lastTime, lastId]: Position,
): Expression<SqlBool> {
  return sql`${time} <= ${lastTime} and (${time} < ${lastTime} or ${id} < ${lastId})`;
}

/** How many rows a query has. */
export async function countRows<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
): Promise<number> {
  const { total } = await query
    .clearSelect()
    .select((of) => of.fn.countAll().as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow();
  return Number(total);
}
