import { type Html, type HtmlValue, html } from '../../http/html.js';
import type { Listed } from '../admin/list.js';
import { type Field, field, refusalOf } from '../pages/form.js';
import type { Text } from '../pages/language.js';
import { QUERY } from '../pages/refusal.js';
import type { RouteName } from '../pages/run-route.js';
import type { SignedIn } from '../pages/visit.js';
import { read } from './panel.js';
import { panelTexts } from './texts.js';

export interface Column<Item> {
  title: Text;
  cell(item: Item): HtmlValue;
}

/** A list as a table; on narrow screens each row is a card with the titles beside its cells. */
export function table<Item>(items: Item[], columns: Column<Item>[]): Html {
  if (items.length === 0) return html`<p class="aside">${panelTexts.nothing}</p>`;
  const rows = items.map(
    (item) =>
      html`<tr>${columns.map(({ title, cell }) => html`<td data-title="${title}">${cell(item)}</td>`)}</tr>`,
  );
  return html`<table>
<thead><tr>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table>`;
}

interface ListOptions<Of extends string, Item> {
  /** The route of the list, and the key of the items in its reply. */
  route: RouteName;
  of: Of;
  /** The filters, in the page's URL; their names are those of the query. */
  filters?: Field[];
  /** Further query fields for the route, or those that it needs in another form. */
  query?: Record<string, string | undefined>;
  columns(items: Item[]): Column<Item>[] | Promise<Column<Item>[]>;
  /** Shown between the filters and the table. */
  above?: (items: Item[]) => HtmlValue;
}

/** A list of the administration: its filters, a page of its items, and a link to the next page. */
export async function list<Of extends string, Item>(
  visit: SignedIn,
  { route, of, filters = [], query, columns, above }: ListOptions<Of, Item>,
): Promise<Html> {
  // The route has refused a filter.
  if (refusalOf(visit, { name: QUERY })) return filterForm(visit, filters);
  const names = filters.map(({ name }) => name);
  const asked = { ...queryOf(visit, names), ...query };
  const { next, [of]: items } = await read<Listed<Of, Item>>(visit, route, asked);
  return html`${names.length > 0 && filterForm(visit, filters)}
${above?.(items)}
${table(items, await columns(items))}
${nextLink(visit, next)}`;
}

function filterForm(visit: SignedIn, fields: Field[]): Html {
  const filled = fields.map((each) => ({
    ...each,
    isOptional: true,
    value: visit.query.get(each.name) ?? '',
  }));
  return html`<form method="get" class="filters">
${filled.map((each) => field(refusalOf(visit, { name: QUERY }), each, `filters-${each.name}`))}
<button class="button">${panelTexts.search}</button>
</form>`;
}

/** The page's query as the API expects it: without empty fields. */
function queryOf({ query }: SignedIn, names: string[]): Record<string, string> {
  const wanted = names.map((name): [string, string] => [name, query.get(name) ?? '']);
  const given = wanted.filter(([, value]) => value !== '');
  return { ...Object.fromEntries(given), cursor: query.get('cursor') ?? '' };
}

function nextLink({ request, query }: SignedIn, next: string | null): HtmlValue {
  if (next === null) return undefined;
  const search = new URLSearchParams(query);
  search.delete('done');
  search.set('cursor', next);
  return html`<p><a class="button" href="${`${request.path}?${search}`}" rel="next">${panelTexts.more}</a></p>`;
}
