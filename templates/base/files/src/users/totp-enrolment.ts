import { type RawBuilder, sql } from 'kysely';

/** SQL for `isTotpEnabled` of a profile: 0, since this service has no authenticator apps. */
export function totpEnrolment(): RawBuilder<number> {
  return sql<number>`0`;
}
