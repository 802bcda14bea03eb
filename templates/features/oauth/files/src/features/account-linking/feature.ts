import * as z from 'zod';
import type { Db } from '../../db/schema.js';
import { defineFeature, event } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import { del, get, type Route } from '../../http/route.js';
import { type Credential, hasWayIn } from '../../session/credentials.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import { isInUse } from '../oauth/configured-provider.js';
import {
  ADDRESS,
  KIND,
  LinkedAccountView,
  linkedAccountView,
  nameOf,
  pendingKind,
} from './linked-accounts.js';
import { mailedLinkRoutes } from './mailed-link.js';
import { accountLinked, accountUnlinked, linkRequest } from './mails.js';
import { accountLinkingStore } from './store.js';

/** A linked account of a provider can sign in; an added address alone cannot. */
const credential: Credential = {
  async opensAccount(services, userId) {
    const accounts = await services.accountLinking.listOfUser(userId);
    return accounts.some(
      ({ provider }) => provider !== ADDRESS && isInUse(services.config, provider),
    );
  },
  async forget(tx, userId, cause) {
    const accounts = await tx.accountLinking.listOfUser(userId);
    for (const { provider, id } of accounts) {
      await tx.accountLinking.remove(userId, provider, id);
      const data = { provider, providerAccountId: id };
      tx.events.publish('identity.user.unlinked', data, { ...cause, userId });
    }
    const names = accounts.map(nameOf);
    return names.map((name) => ({ en: `the link to ${name}`, de: `die Verknüpfung mit ${name}` }));
  },
};

export const accountLinking = defineFeature({
  mails: { linkRequest, accountLinked, accountUnlinked },
  errors: {
    INVALID_LINK_TOKEN: [400, 'This link is no longer valid.'],
    LAST_LOGIN_METHOD: [409, 'This is your only way to sign in. Add another one first.'],
  },
  events: {
    'identity.user.linked': event<{ provider: string; providerAccountId: string }>(),
    'identity.user.unlinked': event<{ provider: string; providerAccountId: string }>(),
  },
  credential,
  stores: (db: Db) => ({ accountLinking: accountLinkingStore(db) }),
  routes: (): Route[] => [
    get('/linked-accounts', {
      summary: 'Your linked accounts',
      access: 'signed-in',
      reply: z.object({ linkedAccounts: z.array(LinkedAccountView) }),
      handle: async ({ caller, services }) => {
        const accounts = await services.accountLinking.listOfUser(caller.user.id);
        return { body: { linkedAccounts: accounts.map(linkedAccountView) } };
      },
    }),

    del('/linked-accounts/{provider}/{id}', {
      summary: 'Remove a linked account',
      access: 'strong',
      errors: ['NOT_FOUND', 'LAST_LOGIN_METHOD'],
      handle: async ({ caller: { user, sessionId }, params, request, services }) => {
        const { provider = '', id = '' } = params;
        const { id: userId, email } = user;
        await services.transaction(async (tx) => {
          // Two requests that remove the last two links must not both succeed.
          await tx.users.lock(userId);
          if (!(await tx.accountLinking.remove(userId, provider, id))) throw refuse('NOT_FOUND');
          const isWayIn = provider !== ADDRESS;
          if (isWayIn && !(await hasWayIn(tx, userId))) throw refuse('LAST_LOGIN_METHOD');
          // Whoever signed in with it is signed out, and a link that was requested before must not bring it back.
          await endSessionsOfUser(tx, { request }, userId, 'unlinked', sessionId);
          await tx.oneTimeTokens.revoke(KIND, userId);
          await tx.oneTimeTokens.revoke(pendingKind({ provider, id }), userId);
          const data = { provider, providerAccountId: id };
          tx.events.publish('identity.user.unlinked', data, { userId, request });
          const about = { language: request.language, what: nameOf({ provider, id }) };
          await tx.mails.add('accountUnlinked', { email, ...about });
        });
      },
    }),

    ...mailedLinkRoutes,
  ],
});
