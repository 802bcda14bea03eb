import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import type { Page, Position, Rest } from '../../db/pages.js';
import { refuse } from '../../http/errors.js';
import type { Call, Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import type { Caller } from '../../session/authenticate.js';
import { type AdminOptions, get, requireSameRights } from './route.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/**
 * The query of a list: `limit` (20, at most 100), `filter`, and `offset` or `cursor` (empty for the first page); or
 * `format=ndjson` for all items, one a line. Any other field is refused: a misspelled filter would list everything.
 */
export const ListQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  cursor: z.string().max(512).optional(),
  filter: z.string().trim().max(254).optional(),
  format: z.enum(['json', 'ndjson']).optional().describe('ndjson: all, as application/x-ndjson'),
});

type ListQuery = z.output<typeof ListQuery>;

/** The part of a list to read: a page of the items that match `filter`. */
export type FilteredPage = Page & Pick<ListQuery, 'filter'>;

interface ItemPage<Item = unknown> {
  items: Item[];
  rest: Rest;
}

interface ListOptions<Item, Query>
  extends Omit<AdminOptions<undefined, Query>, 'reply' | 'handle'> {
  /** The plural name of the items in the reply. */
  of: string;
  item: z.ZodType<Item>;
  read(call: Call<undefined, Caller, Query & FilteredPage>): Promise<ItemPage<Item>>;
}

/**
 * Declares a list. A page by `offset` has the true `total`; one by `cursor` is not counted, and has
 * the cursor of the `next` page, null at the end.
 */
export function list<Item, Query extends ListQuery = ListQuery>(
  path: string,
  { of, item, read, ...options }: ListOptions<Item, Query>,
): Route {
  const reply = z.object({
    [of]: z.array(item),
    total: z.number().optional(),
    next: z.string().nullable().optional(),
  });
  // Safe: without a `query` of its own, a list has the common one.
  const query = (options.query ?? ListQuery) as z.ZodType<Query>;
  return get(path, {
    ...options,
    query,
    reply,
    handle: async (call) => {
      const after = positionOf(call.services, path, call.query.cursor);
      const readPage = (page: Partial<Page>) =>
        read({ ...call, query: { ...call.query, ...page } });
      if (call.query.format === 'ndjson') {
        const headers = {
          'content-type': 'application/x-ndjson; charset=utf-8',
          'content-disposition': `attachment; filename="${of}.ndjson"`,
        };
        const readFrom = async (position: Page['after']) => {
          await requireSameRights(call.services, call.caller);
          return readPage({ after: position, limit: MAX_LIMIT });
        };
        // The first page is read before the response begins: once it has begun, an error could only cut it off.
        return { stream: linesOf(await readFrom(after ?? 'start'), readFrom), headers };
      }
      const { items, rest } = await readPage({ after });
      const next = rest.next && cursorOf(call.services, path, rest.next);
      return { body: { [of]: items, total: rest.total, next } };
    },
  });
}

/** The items of a page and of all that follow, as lines of JSON. */
async function* linesOf(
  page: ItemPage | undefined,
  readFrom: (position: Position) => Promise<ItemPage>,
): AsyncGenerator<string> {
  while (page) {
    yield page.items.map((item) => `${JSON.stringify(item)}\n`).join('');
    // Other requests get their turn.
    await setImmediate();
    page = page.rest.next ? await readFrom(page.rest.next) : undefined;
  }
}

/** Encodes a position with a MAC: an edited cursor, or one of another list, is refused. */
function cursorOf(services: Services, path: string, position: Position): string {
  const text = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${text}.${cursorMac(services, path, text)}`;
}

function positionOf(services: Services, path: string, cursor: string | undefined): Page['after'] {
  if (cursor === undefined) return undefined;
  if (cursor === '') return 'start';
  const [text = '', signature] = cursor.split('.');
  if (signature !== cursorMac(services, path, text)) {
    const details = [{ path: 'cursor', message: 'Not a cursor of this list.' }];
    throw refuse('VALIDATION_FAILED', { details });
  }
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}

function cursorMac({ keys }: Services, path: string, text: string): string {
  return createHmac('sha256', keys.csrf[0]).update(`cursor ${path} ${text}`).digest('base64url');
}

/** A page of a short list in memory. `filter` is a part of one of the item's texts, ignoring case. */
export function pageOf<Item>(
  items: Item[],
  { limit, offset, after, filter = '' }: FilteredPage,
  textsOf: (item: Item) => (string | null)[],
): ItemPage<Item> {
  const wanted = filter.toLowerCase();
  const matching = items.filter(
    (item) => !wanted || textsOf(item).some((text) => text?.toLowerCase().includes(wanted)),
  );
  if (after === undefined) {
    const items = matching.slice(offset, offset + limit);
    return { items, rest: { total: matching.length } };
  }
  const [start] = after === 'start' ? [0] : after;
  const end = start + limit;
  const next: Position | null = end < matching.length ? [end, ''] : null;
  return { items: matching.slice(start, end), rest: { next } };
}
