import { type RawBuilder, sql } from 'kysely';

/** SQL for a profile's `isTotpEnabled`: 1 once the user has confirmed an authenticator app. */
export function isTotpEnabled(): RawBuilder<number> {
  return sql<number>`(select count(*) from totp_secrets where totp_secrets.user_id = users.id and totp_secrets.secret is not null)`;
}
