import type { Selectable } from 'kysely';
import { now } from '../../clock.js';
import { insertUnlessTaken } from '../../db/insert.js';
import { locked } from '../../db/locks.js';
import type { Db } from '../../db/schema.js';
import type { ProviderAccount } from './provider-account.js';
import type { AccountLinkingTables } from './table.js';

export interface LinkedAccount extends ProviderAccount {
  userId: string;
  /** In ms. */
  linkedAt: number;
}

export interface AccountLinkingStore {
  find(provider: string, id: string): Promise<LinkedAccount | undefined>;
  listOfUser(userId: string): Promise<LinkedAccount[]>;
  /** False if the account is linked already: the database decides, so nobody is linked twice. */
  add(userId: string, account: ProviderAccount): Promise<boolean>;
  /** Keeps what the provider says of a linked account now. */
  describe(account: ProviderAccount): Promise<void>;
  /** False if the user has no such link. */
  remove(userId: string, provider: string, id: string): Promise<boolean>;
  /** The links, and what waits to become one. */
  removeAllOfUser(userId: string): Promise<void>;
  /** Within a transaction: others that change this user's links wait for its end. */
  lockOfUser(userId: string): Promise<void>;

  /** Remembers until `expiresAt` (ms) that this account asked to be linked to whoever has that address. */
  openPending(
    email: string,
    account: ProviderAccount,
    browserHash: string,
    expiresAt: number,
  ): Promise<void>;
  /**
   * The account that waits to be linked to the address: the one of this browser, else the only one. Where
   * several wait, one could have been slipped in between, so none is taken.
   */
  findPending(
    email: string,
    provider: string,
    browserHash: string | undefined,
  ): Promise<ProviderAccount | undefined>;
  closePending(account: ProviderAccount): Promise<void>;
}

/** The store of linked accounts on the service's database. */
export function accountLinkingStore(db: Db): AccountLinkingStore {
  const linked = (provider: string, id: string) =>
    db
      .selectFrom('linked_accounts')
      .selectAll()
      .where('provider', '=', provider)
      .where('provider_account_id', '=', id);

  return {
    async find(provider, id) {
      const row = await linked(provider, id).executeTakeFirst();
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

    async add(userId, { id, ...account }) {
      const row = { ...account, provider_account_id: id, user_id: userId, linked_at: now() };
      return insertUnlessTaken(db.insertInto('linked_accounts').values(row));
    },

    async describe({ provider, id, email, name, picture }) {
      await db
        .updateTable('linked_accounts')
        .set({ email, name, picture })
        .where('provider', '=', provider)
        .where('provider_account_id', '=', id)
        .execute();
    },

    async remove(userId, provider, id) {
      const { numDeletedRows } = await db
        .deleteFrom('linked_accounts')
        .where('user_id', '=', userId)
        .where('provider', '=', provider)
        .where('provider_account_id', '=', id)
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

    async openPending(email, account, browserHash, expiresAt) {
      const { provider, id, name, picture } = account;
      await db.deleteFrom('pending_links').where('expires_at', '<=', now()).execute();
      const waiting = { name, picture, browser_hash: browserHash, expires_at: expiresAt };
      const renew = () =>
        db
          .updateTable('pending_links')
          .set(waiting)
          .where('email', '=', email)
          .where('provider', '=', provider)
          .where('provider_account_id', '=', id)
          .executeTakeFirst();
      if ((await renew()).numUpdatedRows > 0n) return;
      const row = { email, provider, provider_account_id: id, ...waiting };
      if (!(await insertUnlessTaken(db.insertInto('pending_links').values(row)))) await renew();
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
      await db
        .deleteFrom('pending_links')
        .where('provider', '=', provider)
        .where('provider_account_id', '=', id)
        .execute();
    },
  };
}

type AccountColumns = 'provider' | 'provider_account_id' | 'email' | 'name' | 'picture';
type AccountRow = Pick<Selectable<AccountLinkingTables['linked_accounts']>, AccountColumns>;

function accountOf(row: AccountRow): ProviderAccount {
  const { provider, provider_account_id: id, email, name, picture } = row;
  return { provider, id, email, name, picture };
}

function linkedAccountOf(row: Selectable<AccountLinkingTables['linked_accounts']>): LinkedAccount {
  return { ...accountOf(row), userId: row.user_id, linkedAt: row.linked_at };
}
