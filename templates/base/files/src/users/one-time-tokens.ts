import { createHash } from 'node:crypto';
import { type Generated, sql } from 'kysely';
import { affectsRow, deletePages, updateOrInsert } from '../db/queries.js';
import type { Db } from '../db/schema.js';
import { now } from '../process/clock.js';
import { randomToken } from '../process/random.js';
import { userStore } from './user-store.js';

declare module '../db/schema.js' {
  /** Secrets that were mailed or texted. Times are ms since the epoch. */
  interface Database {
    one_time_tokens: {
      /** SHA-256 of the secret in hex: whoever reads the table cannot use what it holds. */
      token_hash: string;
      /** Its purpose, such as `reset`. */
      kind: string;
      user_id: string;
      payload: Generated<string>;
      expires_at: number;
    };
  }
}

/** Mailed secrets that work once, for one purpose: a reset, a confirmation, a link. */
export function oneTimeTokenStore(db: Db) {
  return {
    /**
     * Issues a token that lives `lifetime` ms, 32 random bytes in hex unless it is given; it
     * replaces an older one of its kind. Only its hash is stored: a stolen database opens nothing.
     */
    async issue(
      kind: string,
      userId: string,
      lifetime: number,
      payload: string = '',
      token: string = randomToken(),
    ): Promise<string> {
      const secret = { token_hash: hashOf(token), payload, expires_at: now() + lifetime };
      // (kind, user) is unique: a parallel request finds this row instead of inserting a second.
      const ofUser = db.updateTable('one_time_tokens').where('user_id', '=', userId);
      const row = { kind, user_id: userId, ...secret };
      const update = ofUser.where('kind', '=', kind).set(secret);
      await updateOrInsert(update, db.insertInto('one_time_tokens').values(row));
      return token;
    },

    /** The same for a live token with this payload; undefined if it was used, voided or replaced. */
    async renew(kind: string, userId: string, lifetime: number, payload: string) {
      const token = randomToken();
      const secret = { token_hash: hashOf(token), expires_at: now() + lifetime };
      const ofUser = db.updateTable('one_time_tokens').where('user_id', '=', userId);
      const live = ofUser.where('kind', '=', kind).where('expires_at', '>', now());
      return (await affectsRow(live.where('payload', '=', payload).set(secret)))
        ? token
        : undefined;
    },

    async revoke(kind: string, userId: string): Promise<void> {
      const ofUser = db.deleteFrom('one_time_tokens').where('user_id', '=', userId);
      await ofUser.where('kind', '=', kind).execute();
    },

    /**
     * Voids every token of a user, or those whose kind begins with `kinds`: what was mailed to an address they
     * no longer use must open nothing.
     */
    async revokeAll(userId: string, kinds: string = ''): Promise<void> {
      const ofUser = db.deleteFrom('one_time_tokens').where('user_id', '=', userId);
      await ofUser.where('kind', 'like', `${kinds}%`).execute();
    },

    /** The payloads of a user's live tokens whose kind begins with `kinds`, the last to expire first. */
    async payloadsOf(userId: string, kinds: string): Promise<string[]> {
      const ofUser = db.selectFrom('one_time_tokens').select('payload');
      const live = ofUser.where('user_id', '=', userId).where('expires_at', '>', now());
      const ofKinds = live.where('kind', 'like', `${kinds}%`);
      const rows = await ofKinds.orderBy('expires_at', 'desc').execute();
      return rows.map(({ payload }) => payload);
    },

    async find(kind: string, token: string) {
      return db
        .selectFrom('one_time_tokens')
        .select(['user_id as userId', 'payload', 'expires_at as expiresAt'])
        .where('token_hash', '=', hashOf(token))
        .where('kind', '=', kind)
        .where('expires_at', '>', now())
        .executeTakeFirst();
    },

    /** Uses up a token; undefined if it is unknown, used, expired or of another kind. */
    async consume(kind: string, token: string) {
      const found = await this.find(kind, token);
      if (!found) return undefined;
      // The user first, as whoever disables or deletes them does: the opposite order would be a deadlock.
      await userStore(db).lock(found.userId);
      // Whoever deletes the row has the token: of two parallel uses exactly one affects a row. The kind
      // is a condition too: the other request may have issued the same token again as another kind.
      const row = db.deleteFrom('one_time_tokens').where('token_hash', '=', hashOf(token));
      return (await affectsRow(row.where('kind', '=', kind))) ? found : undefined;
    },

    deleteExpired: (time: number) =>
      deletePages(db, 'one_time_tokens', sql`expires_at <= ${time}`, 'token_hash'),
  };
}

/** A fast hash is enough: the token has 256 bits of entropy (ASVS 11.4.2 asks for slow hashes of chosen secrets). */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
