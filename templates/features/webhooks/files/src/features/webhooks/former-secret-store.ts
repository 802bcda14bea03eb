import { now } from '../../clock.js';
import type { Db } from '../../db/schema.js';

/** Secrets that were replaced, as long as receivers may still use them. */
export interface FormerSecretStore {
  /** The sealed secret before the present one; undefined if there is none, or its time is over. */
  find(webhookId: string): Promise<string | undefined>;
  /** Keeps a sealed secret until `validUntil` (ms), instead of an earlier one. */
  keep(webhookId: string, sealedSecret: string, validUntil: number): Promise<void>;
}

/** Former secrets on the service's database. */
export function formerSecretStore(db: Db): FormerSecretStore {
  return {
    async find(webhookId) {
      const row = await db
        .selectFrom('webhook_former_secrets')
        .select('sealed_secret')
        .where('webhook_id', '=', webhookId)
        .where('valid_until', '>', now())
        .executeTakeFirst();
      return row?.sealed_secret;
    },

    async keep(webhookId, sealedSecret, validUntil) {
      await db.deleteFrom('webhook_former_secrets').where('webhook_id', '=', webhookId).execute();
      await db
        .insertInto('webhook_former_secrets')
        .values({ webhook_id: webhookId, sealed_secret: sealedSecret, valid_until: validUntil })
        .execute();
    },
  };
}
