import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';

/** A row's position in a list: its time and, among rows of the same time, its id. */
export type Position = [time: number, id: string];

/** The requested part of a list: the rows from `offset` on, or those after a position. */
export interface Page {
  limit: number;
  offset: number;
  /** Instead of `offset`; `start` for the first rows. */
  after?: Position | 'start' | undefined;
}

/** What follows a page, and how many rows there are in all. */
export interface Rest {
  /** For a page by `offset`: the number of all rows. */
  total?: number;
  /** For a page by position: the position that the next page follows; null at the end. */
  next?: Position | null;
}

/**
 * One page of a query's rows, the latest first. A page by position counts nothing and skips nothing: with an
 * index on the columns of `order` it costs the same in a list of any length. The query must select no aggregate.
 */
export async function readPage<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  { limit, offset, after }: Page,
  order: readonly [time: string, id: string],
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
    // One row more than the page shows whether another page follows.
    .limit(limit + 1)
    .$castTo<Row & { position_time: number; position_id: string }>()
    .execute();
  const last = rows[limit] && rows[limit - 1];
  const next: Position | null = last ? [Number(last.position_time), last.position_id] : null;
  const shown = rows.slice(0, limit).map(({ position_time, position_id, ...row }) => row as Row);
  return { rows: shown, rest: { next } };
}

/** The first comparison can use an index; databases do not derive it from the second one. */
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

/**
 * Whether a column contains a text, ignoring case. Wildcards of `like` are escaped. Both the database and this process
 * lower the text: `lower` of some databases leaves all but ASCII letters as they are, and addresses are stored lowered.
 */
export function contains(column: Expression<string | null>, text: string): Expression<SqlBool> {
  const pattern = `%${text.replace(/[!%_]/g, '!$&')}%`;
  return sql<SqlBool>`(lower(${column}) like lower(${pattern}) escape '!'
    or lower(${column}) like ${pattern.toLowerCase()} escape '!')`;
}
