import { z } from 'zod';

const DEFAULT_LIMIT = 20;
const MOST = 100;

/** The query of a list: `limit` (20, at most 100), `offset`, `filter`. */
export const ListPage = z.object({
  limit: z.coerce.number().int().min(1).max(MOST).default(DEFAULT_LIMIT),
  offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  filter: z.string().trim().max(254).optional(),
});

export type ListPage = z.output<typeof ListPage>;

/**
 * A page of a list that belongs to one user, and so is read whole; `total` is the number of all that fit.
 * `filter` is part of one of the item's texts, whatever its case.
 */
export function pageOf<Item>(
  items: Item[],
  { limit, offset, filter }: ListPage,
  textsOf: (item: Item) => (string | null)[],
): { items: Item[]; total: number } {
  const wanted = filter?.toLowerCase();
  const fitting = wanted
    ? items.filter((item) => textsOf(item).some((text) => text?.toLowerCase().includes(wanted)))
    : items;
  return { items: fitting.slice(offset, offset + limit), total: fitting.length };
}
