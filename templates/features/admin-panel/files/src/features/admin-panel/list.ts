import { type Html, type HtmlValue, html, type Text } from '../../http/html.js';
import { type Field, field } from '../pages/field.js';
import { refusalOf } from '../pages/form.js';
import { QUERY } from '../pages/refusal.js';
import type { RouteName } from '../pages/run-route.js';
import type { SignedIn } from '../pages/visit.js';
import { read } from './panel.js';
import { t } from './texts.js';

/** False for a column that this caller does not see. */
export type Columns<Item> = (Column<Item> | false)[];

type Column<Item> = readonly [title: Text, cell: (item: Item) => HtmlValue];

/** A list as a table; on narrow screens each row is a card with the titles beside its cells. */
export function table<Item>(items: Item[], allColumns: Columns<Item>): Html {
  if (items.length === 0) return html`<p class="aside">${t('There is nothing to show.')}</p>`;
  const columns = allColumns.filter((column) => column !== false);
  const rows = items.map(
    (item) =>
      html`<tr>${columns.map(([title, cell]) => html`<td data-title="${title}">${cell(item)}</td>`)}</tr>`,
  );
  return html`<table>
<thead><tr>${columns.map(([title]) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table>`;
}

interface ListOptions<Item> {
  /** The route of the list. */
  route: RouteName;
  /** The filters, in the page's URL; their names are those of the query. */
  filters?: Field[];
  columns(items: Item[]): Columns<Item> | Promise<Columns<Item>>;
  /** Shown between the filters and the table. */
  above?: (items: Item[]) => HtmlValue;
}

/** A list of the administration: its filters, a page of its items, and a link to the next page. */
export async function list<Item>(
  visit: SignedIn,
  { route, filters = [], columns, above }: ListOptions<Item>,
): Promise<Html> {
  // The route has refused a filter.
  if (refusalOf(visit, { name: QUERY })) return filterForm(visit, filters);
  const cursor = visit.query.get('cursor') ?? '';
  const query = { ...queryOf(visit, filters), cursor };
  const { items, next } = await readList<Item>(visit, route, query);
  return html`${filters.length > 0 && filterForm(visit, filters)}
${above?.(items)}
${table(items, await columns(items))}
${nextLink(visit, next)}`;
}

/** The items of a list, which is the one array in its reply, and the cursor of the next page. */
export async function readList<Item>(
  visit: SignedIn,
  route: RouteName,
  query: Record<string, string>,
): Promise<{ items: Item[]; next: string | null }> {
  const { next = null, ...reply } = await read<{ next?: string | null }>(visit, route, query);
  return { items: Object.values<Item[]>(reply).find(Array.isArray) ?? [], next };
}

function filterForm(visit: SignedIn, fields: Field[]): Html {
  const refusal = refusalOf(visit, { name: QUERY });
  const filled = fields.map((each) => {
    const value = visit.query.get(each.name) ?? '';
    return field(refusal, { ...each, isOptional: true, value }, `filters-${each.name}`);
  });
  return html`<form method="get" class="filters">
${filled}
<button class="button">${t('Search')}</button>
</form>`;
}

const SECONDS = '2026-11-22T00:00:00'.length;

/** The filters of the page's URL as the API expects them: without empty ones, and times with seconds and zone. */
export function queryOf({ query }: SignedIn, filters: Field[]): Record<string, string> {
  const entries = filters.flatMap(({ name, type }) => {
    const value = query.get(name);
    if (!value) return [];
    return [[name, type === 'datetime-local' ? `${value.padEnd(SECONDS, ':00')}Z` : value]];
  });
  return Object.fromEntries(entries);
}

function nextLink({ request, query }: SignedIn, next: string | null): HtmlValue {
  if (next === null) return undefined;
  const search = new URLSearchParams(query);
  search.delete('done');
  search.set('cursor', next);
  return html`<p><a class="button" href="${`${request.path}?${search}`}" rel="next">${t('More')}</a></p>`;
}
