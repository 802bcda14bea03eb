import type { Kysely } from 'kysely';

/** Every table. Each store adds its own: `declare module '../db/schema.js' { interface Database … }`. */
export interface Database {
  /** Counts of the shared rate limits. Columns as rate-limiter-flexible names them. */
  rate_limits: { key: string; points: number; expire: number | null };
}

/** The database, or a transaction on it. */
export type Db = Kysely<Database>;
