import { type RawBuilder, sql } from 'kysely';

/** SQL for `isTotpEnabled` of a profile: 0, since nobody can set it up here. */
export function isTotpEnabled(): RawBuilder<number> {
  return sql<number>`0`;
}
