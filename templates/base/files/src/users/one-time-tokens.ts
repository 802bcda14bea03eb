import { createHash } from 'node:crypto';
import type { Generated } from 'kysely';
import type { Db } from '../db/schema.js';
import { insertUnlessTaken, locked } from '../db/sql.js';
import { now } from '../process/clock.js';
import { randomToken } from '../process/random.js';

/** Secrets that were mailed or texted. Times are ms since the epoch. */
export interface OneTimeTokenTables {
  one_time_tokens: {
    /** SHA-256 of the secret in hex: whoever reads the table cannot use what it holds. */
    token_hash: string;
    /** What the token is good for, such as `reset`. */
    kind: string;
    user_id: string;
    payload: Generated<string>;
    expires_at: number;
  };
}

declare module '../db/schema.js' {
  interface Database extends OneTimeTokenTables {}
}

/** What a consumed token was made for. */
export interface ConsumedToken {
  userId: string;
  payload: string;
}

/** Mailed secrets that open one thing once: a reset, a confirmation, a link. */
export function oneTimeTokenStore(db: Db) {
  const ofUser = (kind: string, userId: string) =>
    db.updateTable('one_time_tokens').where('kind', '=', kind).where('user_id', '=', userId);

  const live = (kind: string, token: string) =>
    db
      .selectFrom('one_time_tokens')
      .selectAll()
      .where('token_hash', '=', hashOf(token))
      .where('kind', '=', kind)
      .where('expires_at', '>', now());

  async function deleteOfUser(kind: string, userId: string): Promise<void> {
    await db
      .deleteFrom('one_time_tokens')
      .where('kind', '=', kind)
      .where('user_id', '=', userId)
      .execute();
  }

  return {
    /**
     * Makes a token, 32 random bytes hex, that lives `lifetime` ms; an older one of its kind dies.
     * Only its hash is stored: a stolen database opens nothing.
     */
    async issue(
      kind: string,
      userId: string,
      lifetime: number,
      payload: string = '',
    ): Promise<string> {
      const token = randomToken();
      const secret = { token_hash: hashOf(token), payload, expires_at: now() + lifetime };
      // The unique (kind, user) makes a parallel request find the other's row instead of a second.
      const set = () => ofUser(kind, userId).set(secret).executeTakeFirst();
      if ((await set()).numUpdatedRows > 0n) return token;
      const row = { kind, user_id: userId, ...secret };
      if (!(await insertUnlessTaken(db.insertInto('one_time_tokens').values(row)))) await set();
      return token;
    },

    /** Voids a user's token of this kind. */
    revoke: deleteOfUser,

    /** Voids every token of a user: what was mailed to an address that they have left must open nothing. */
    async revokeAll(userId: string): Promise<void> {
      await db.deleteFrom('one_time_tokens').where('user_id', '=', userId).execute();
    },

    /** Whose token of this kind it is, without using it up. */
    async find(kind: string, token: string): Promise<ConsumedToken | undefined> {
      const row = await live(kind, token).executeTakeFirst();
      return row && { userId: row.user_id, payload: row.payload };
    },

    /**
     * Within a transaction: uses up a token, but remembers it as `spentKind` until it expires: its link can be opened again
     * and say so. Undefined if another request was first.
     */
    async spend(
      kind: string,
      token: string,
      spentKind: string,
    ): Promise<ConsumedToken | undefined> {
      // Of two parallel uses the later one must not delete what the other one remembers.
      const row = await locked(live(kind, token)).executeTakeFirst();
      if (!row) return undefined;
      await deleteOfUser(spentKind, row.user_id);
      const { numUpdatedRows } = await db
        .updateTable('one_time_tokens')
        .set({ kind: spentKind })
        .where('token_hash', '=', row.token_hash)
        .where('kind', '=', kind)
        .executeTakeFirst();
      return numUpdatedRows === 1n ? { userId: row.user_id, payload: row.payload } : undefined;
    },

    /** Uses up a token; undefined if it is unknown, used, expired or of another kind. */
    async consume(kind: string, token: string): Promise<ConsumedToken | undefined> {
      const row = await live(kind, token).executeTakeFirst();
      if (!row) return undefined;
      // Whoever deletes the row has the token: of two parallel uses exactly one affects a row.
      const { numDeletedRows } = await db
        .deleteFrom('one_time_tokens')
        .where('token_hash', '=', row.token_hash)
        .executeTakeFirst();
      return numDeletedRows === 1n ? { userId: row.user_id, payload: row.payload } : undefined;
    },

    async deleteExpired(time: number): Promise<void> {
      await db.deleteFrom('one_time_tokens').where('expires_at', '<=', time).execute();
    },
  };
}

export type OneTimeTokenStore = ReturnType<typeof oneTimeTokenStore>;

/** A plain hash is enough: the token itself has 256 bits of entropy (ASVS 11.4.2 asks for slow hashes of what people make up). */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
