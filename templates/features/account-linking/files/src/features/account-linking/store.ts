import type { Selectable } from 'kysely';
import type { Db } from '../../db/schema.js';
import { insertUnlessTaken, locked } from '../../db/sql.js';
import { now } from '../../process/clock.js';
import type { LinkedAccount, ProviderAccount } from './linked-accounts.js';

/** Times are ms since the epoch. No token of a provider is stored. */
interface AccountLinkingTables {
  /** Linked accounts: they open an account besides its own credentials. */
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

declare module '../../db/schema.js' {
  interface Database extends AccountLinkingTables {}
}

export function accountLinkingStore(db: Db) {
  const keyOf = (provider: string, id: string) => ({ provider, provider_account_id: id });

  return {
    async find(provider: string, id: string): Promise<LinkedAccount | undefined> {
      const query = db.selectFrom('linked_accounts').selectAll();
      const row = await query.where(({ and }) => and(keyOf(provider, id))).executeTakeFirst();
      return row && linkedAccountOf(row);
    },

    async listOfUser(userId: string): Promise<LinkedAccount[]> {
      const rows = await db
        .selectFrom('linked_accounts')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('linked_at')
        .orderBy('provider_account_id')
        .execute();
      return rows.map(linkedAccountOf);
    },

    /** False if the account is linked already; a unique key decides. */
    async add(userId: string, { provider, id, ...described }: ProviderAccount): Promise<boolean> {
      const { email, name, picture } = described;
      const account = { ...keyOf(provider, id), email, name, picture };
      const row = { ...account, user_id: userId, linked_at: now() };
      return insertUnlessTaken(db.insertInto('linked_accounts').values(row));
    },

    /** Updates the name, address and picture of a linked account. */
    async describe({ provider, id, email, name, picture }: ProviderAccount): Promise<void> {
      const update = db.updateTable('linked_accounts').set({ email, name, picture });
      await update.where(({ and }) => and(keyOf(provider, id))).execute();
    },

    /** False if the user has no such link. */
    async remove(userId: string, provider: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('linked_accounts')
        .where(({ and }) => and({ ...keyOf(provider, id), user_id: userId }))
        .executeTakeFirst();
      return numDeletedRows === 1n;
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
      const rows = await db
        .selectFrom('pending_links')
        .selectAll()
        .where('email', '=', email)
        .where('provider', '=', provider)
        .where('expires_at', '>', now())
        .execute();
      const own = rows.find((row) => row.browser_hash === browserHash);
      const row = own ?? (rows.length === 1 ? rows[0] : undefined);
      return row && accountOf(row);
    },

    async closePending({ provider, id }: ProviderAccount): Promise<void> {
      const pending = db.deleteFrom('pending_links');
      await pending.where(({ and }) => and(keyOf(provider, id))).execute();
    },
  };
}

type Row = Selectable<AccountLinkingTables['linked_accounts']>;
type AccountRow = Omit<Row, 'user_id' | 'linked_at'>;

function accountOf(row: AccountRow): ProviderAccount {
  const { provider, provider_account_id: id, email, name, picture } = row;
  return { provider, id, email, name, picture };
}

function linkedAccountOf(row: Row): LinkedAccount {
  return { ...accountOf(row), userId: row.user_id, linkedAt: row.linked_at };
}
