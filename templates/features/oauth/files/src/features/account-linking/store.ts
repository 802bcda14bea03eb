import { affectsRow } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { insertUnlessTaken } from '../../db/sql.js';
import { now } from '../../process/clock.js';
import type { LinkedAccount, ProviderAccount } from './linked-accounts.js';

declare module '../../db/schema.js' {
  interface Database {
    /** Each signs in to an account, besides its own credentials. No token of a provider is stored. */
    linked_accounts: {
      /** `email` for an added address. */
      provider: string;
      provider_account_id: string;
      user_id: string;
      /** As the provider last returned it; never used to find a user. */
      email: string | null;
      name: string | null;
      picture: string | null;
      /** ms since the epoch. */
      linked_at: number;
    };
  }
}

export function accountLinkingStore(db: Db) {
  const linked = db
    .selectFrom('linked_accounts')
    .select(['provider', 'provider_account_id as id', 'email', 'name', 'picture'])
    .select(['user_id as userId', 'linked_at as linkedAt']);

  const keyOf = (provider: string, id: string) => ({ provider, provider_account_id: id });

  return {
    find(provider: string, id: string): Promise<LinkedAccount | undefined> {
      return linked.where(({ and }) => and(keyOf(provider, id))).executeTakeFirst();
    },

    listOfUser(userId: string): Promise<LinkedAccount[]> {
      const ofUser = linked.where('user_id', '=', userId);
      return ofUser.orderBy('linked_at').orderBy('provider_account_id').execute();
    },

    /** False if the account is linked already; a unique key decides. */
    async add(userId: string, account: ProviderAccount): Promise<boolean> {
      const { provider, id, email, name, picture } = account;
      const described = { ...keyOf(provider, id), email, name, picture };
      const row = { ...described, user_id: userId, linked_at: now() };
      return insertUnlessTaken(db.insertInto('linked_accounts').values(row));
    },

    /** Updates the address, picture and name of a linked account. Some providers send the name only once: it is kept. */
    async describe({ provider, id, email, name, picture }: ProviderAccount): Promise<void> {
      const described = { email, picture, ...(name !== null && { name }) };
      const update = db.updateTable('linked_accounts').set(described);
      await update.where(({ and }) => and(keyOf(provider, id))).execute();
    },

    /** False if the user has no such link. */
    async remove(userId: string, provider: string, id: string): Promise<boolean> {
      const ownKey = { ...keyOf(provider, id), user_id: userId };
      return affectsRow(db.deleteFrom('linked_accounts').where(({ and }) => and(ownKey)));
    },
  };
}
