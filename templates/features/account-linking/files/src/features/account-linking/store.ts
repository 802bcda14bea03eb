import { changesRow } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { insertUnlessTaken, locked } from '../../db/sql.js';
import { now } from '../../process/clock.js';
import type { LinkedAccount, ProviderAccount } from './linked-accounts.js';

declare module '../../db/schema.js' {
  /** Times are ms since the epoch. No token of a provider is stored. */
  interface Database {
    /** Linked accounts: each signs in to an account, besides its own credentials. */
    linked_accounts: {
      /** `email` for an added address. */
      provider: string;
      provider_account_id: string;
      user_id: string;
      /** As the provider last returned it; never used to find a user. */
      email: string | null;
      name: string | null;
      picture: string | null;
      linked_at: number;
    };
    /** Sign-ins at a provider that ended in a conflict: they may ask the owner of the address for a link. */
    pending_links: {
      /** The local account's address. */
      email: string;
      provider: string;
      provider_account_id: string;
      name: string | null;
      picture: string | null;
      /** SHA-256 of the cookie of the browser that signed in. */
      browser_hash: string;
      expires_at: number;
    };
  }
}

const account = ['provider', 'provider_account_id as id', 'email', 'name', 'picture'] as const;

export function accountLinkingStore(db: Db) {
  const keyOf = (provider: string, id: string) => ({ provider, provider_account_id: id });

  const linkedAccounts = () =>
    db
      .selectFrom('linked_accounts')
      .select([...account, 'user_id as userId', 'linked_at as linkedAt']);

  return {
    find(provider: string, id: string): Promise<LinkedAccount | undefined> {
      const query = linkedAccounts().where(({ and }) => and(keyOf(provider, id)));
      return query.executeTakeFirst();
    },

    listOfUser(userId: string): Promise<LinkedAccount[]> {
      const query = linkedAccounts().where('user_id', '=', userId);
      return query.orderBy('linked_at').orderBy('provider_account_id').execute();
    },

    /** False if the account is linked already; a unique key decides. */
    async add(userId: string, account: ProviderAccount): Promise<boolean> {
      const { provider, id, email, name, picture } = account;
      const described = { ...keyOf(provider, id), email, name, picture };
      const row = { ...described, user_id: userId, linked_at: now() };
      return insertUnlessTaken(db.insertInto('linked_accounts').values(row));
    },

    /** Updates the name, address and picture of a linked account. */
    async describe({ provider, id, email, name, picture }: ProviderAccount): Promise<void> {
      const update = db.updateTable('linked_accounts').set({ email, name, picture });
      await update.where(({ and }) => and(keyOf(provider, id))).execute();
    },

    /** False if the user has no such link. */
    async remove(userId: string, provider: string, id: string): Promise<boolean> {
      const own = { ...keyOf(provider, id), user_id: userId };
      return changesRow(db.deleteFrom('linked_accounts').where(({ and }) => and(own)));
    },

    /** Removes the user's links and pending links. */
    async removeAllOfUser(userId: string): Promise<void> {
      await db.deleteFrom('linked_accounts').where('user_id', '=', userId).execute();
      const address = db.selectFrom('users').select('email').where('id', '=', userId);
      await db.deleteFrom('pending_links').where('email', '=', address).execute();
    },

    /** Locks the links of a user until the end of the transaction. */
    async lockOfUser(userId: string): Promise<void> {
      const ofUser = db.selectFrom('linked_accounts').where('user_id', '=', userId);
      await locked(ofUser.select('provider_account_id')).execute();
    },

    /** Until `expiresAt` (ms) this account may ask the owner of the address for a link. */
    async openPending(
      email: string,
      { provider, id, name, picture }: ProviderAccount,
      browserHash: string,
      expiresAt: number,
    ): Promise<void> {
      const key = { email, ...keyOf(provider, id) };
      const row = { ...key, name, picture, browser_hash: browserHash, expires_at: expiresAt };
      await db
        .deleteFrom('pending_links')
        .where(({ and, eb, or }) => or([and(key), eb('expires_at', '<=', now())]))
        .execute();
      await insertUnlessTaken(db.insertInto('pending_links').values(row));
    },

    /**
     * The account that is pending for the address: this browser's, else the only one. None if there are
     * several, because any of them could be a stranger's.
     */
    async findPending(
      email: string,
      provider: string,
      browserHash: string | undefined,
    ): Promise<ProviderAccount | undefined> {
      const pending = db
        .selectFrom('pending_links')
        .select(account)
        .where('email', '=', email)
        .where('provider', '=', provider)
        .where('expires_at', '>', now());
      const ofBrowser = pending.where('browser_hash', '=', browserHash ?? '');
      const own = await ofBrowser.executeTakeFirst();
      if (own) return own;
      const [only, another] = await pending.limit(2).execute();
      return another ? undefined : only;
    },

    async closePending({ provider, id }: Pick<ProviderAccount, 'provider' | 'id'>): Promise<void> {
      const pending = db.deleteFrom('pending_links');
      await pending.where(({ and }) => and(keyOf(provider, id))).execute();
    },
  };
}
