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
