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

export interface AccountLinkingStore {
  find(provider: string, id: string): Promise<LinkedAccount | undefined>;
  listOfUser(userId: string): Promise<LinkedAccount[]>;
  /** False if the account is linked already; a unique key decides. */
  add(userId: string, account: ProviderAccount): Promise<boolean>;
  /** Updates the name, address and picture of a linked account. */
  describe(account: ProviderAccount): Promise<void>;
  /** False if the user has no such link. */
  remove(userId: string, provider: string, id: string): Promise<boolean>;
  /** Removes the user's links and pending links. */
  removeAllOfUser(userId: string): Promise<void>;
  /** Locks the links of a user until the end of the transaction. */
  lockOfUser(userId: string): Promise<void>;

  /** Until `expiresAt` (ms) this account may ask the owner of the address for a link. */
  openPending(
    email: string,
    account: ProviderAccount,
    browserHash: string,
    expiresAt: number,
  ): Promise<void>;
  /**
   * The account that is pending for the address: this browser's, else the only one. None if there are
   * several, because any of them could be a stranger's.
   */
  findPending(
    email: string,
    provider: string,
    browserHash: string | undefined,
  ): Promise<ProviderAccount | undefined>;
  closePending(account: ProviderAccount): Promise<void>;
}

export function accountLinkingStore(db: Db): AccountLinkingStore {
  const keyOf = (provider: string, id: string) => ({ provider, provider_account_id: id });

  return {
    async find(provider, id) {
      const query = db.selectFrom('linked_accounts').selectAll();
      const row = await query.where(({ and }) => and(keyOf(provider, id))).executeTakeFirst();
      return row && linkedAccountOf(row);
    },

    async listOfUser(userId) {
      const rows = await db
        .selectFrom('linked_accounts')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('linked_at')
        .orderBy('provider_account_id')
        .execute();
      return rows.map(linkedAccountOf);
    },

    async add(userId, { provider, id, email, name, picture }) {
      const account = { ...keyOf(provider, id), email, name, picture };
      const row = { ...account, user_id: userId, linked_at: now() };
      return insertUnlessTaken(db.insertInto('linked_accounts').values(row));
    },

    async describe({ provider, id, email, name, picture }) {
      const update = db.updateTable('linked_accounts').set({ email, name, picture });
      await update.where(({ and }) => and(keyOf(provider, id))).execute();
    },

    async remove(userId, provider, id) {
      const { numDeletedRows } = await db
        .deleteFrom('linked_accounts')
        .where(({ and }) => and({ ...keyOf(provider, id), user_id: userId }))
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async removeAllOfUser(userId) {
      await db.deleteFrom('linked_accounts').where('user_id', '=', userId).execute();
      const address = db.selectFrom('users').select('email').where('id', '=', userId);
      await db.deleteFrom('pending_links').where('email', '=', address).execute();
    },

    async lockOfUser(userId) {
      const ofUser = db.selectFrom('linked_accounts').where('user_id', '=', userId);
      await locked(ofUser.select('provider_account_id')).execute();
    },

    async openPending(email, { provider, id, name, picture }, browserHash, expiresAt) {
      await db.deleteFrom('pending_links').where('expires_at', '<=', now()).execute();
      const key = { email, ...keyOf(provider, id) };
      const pending = { name, picture, browser_hash: browserHash, expires_at: expiresAt };
      const update = db.updateTable('pending_links').set(pending);
      const renew = () => update.where(({ and }) => and(key)).executeTakeFirst();
      if ((await renew()).numUpdatedRows > 0n) return;
      const insert = db.insertInto('pending_links').values({ ...key, ...pending });
      if (!(await insertUnlessTaken(insert))) await renew();
    },

    async findPending(email, provider, browserHash) {
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

    async closePending({ provider, id }) {
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
