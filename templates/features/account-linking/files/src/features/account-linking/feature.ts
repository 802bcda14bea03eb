import type { Db } from '../../db/schema.js';
import { defineFeature, event } from '../../feature.js';
import { Issued } from '../../http/replies.js';
import { del, freshnessCodes, get, post, type Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import type { Credential } from '../../session/credentials.js';
import {
  ADDRESS,
  isInUse,
  LinkedAccountList,
  linkedAccountView,
  linkForgotten,
  unlinkAccount,
} from './linked-accounts.js';
import { LinkRequestBody, LinkVerifyBody, requestLink, verifyLink } from './mailed-link.js';
import { accountLinked, accountUnlinked, linkRequest } from './mails.js';
import { LINK_METHOD } from './sign-in-method.js';
import { accountLinkingStore } from './store.js';

/** A linked account of a provider can sign in; an added address alone cannot. */
const credential: Credential = {
  async opensAccount(services, userId) {
    const accounts = await services.accountLinking.listOfUser(userId);
    return accounts.some(({ provider }) => provider !== ADDRESS && isInUse(services, provider));
  },
  async forget(tx, userId, cause) {
    const accounts = await tx.accountLinking.listOfUser(userId);
    for (const { provider, id } of accounts) {
      await tx.accountLinking.remove(userId, provider, id);
      const data = { provider, providerAccountId: id };
      tx.events.publish('identity.user.unlinked', data, { ...cause, userId });
    }
    return accounts.map(linkForgotten);
  },
};

export const accountLinking = defineFeature({
  mails: { linkRequest, accountLinked, accountUnlinked },
  errors: {
    INVALID_LINK_TOKEN: [400, 'This link is no longer valid.'],
    LAST_LOGIN_METHOD: [409, 'This is the only way to sign in here. Add another one first.'],
  },
  events: {
    'identity.user.linked': event<{ provider: string; providerAccountId: string }>(),
    'identity.user.unlinked': event<{ provider: string; providerAccountId: string }>(),
  },
  credential,
  stores: (db: Db) => ({ accountLinking: accountLinkingStore(db) }),
  routes: (services: Services): Route[] => [
    get(
      '/linked-accounts',
      { summary: 'Your linked accounts', access: 'signed-in', reply: LinkedAccountList },
      async ({ caller, services }) => {
        const accounts = await services.accountLinking.listOfUser(caller.user.id);
        return { body: { linkedAccounts: accounts.map(linkedAccountView) } };
      },
    ),

    del(
      '/linked-accounts/{provider}/{id}',
      {
        summary: 'Remove a linked account',
        access: 'strong',
        errors: ['NOT_FOUND', 'LAST_LOGIN_METHOD'],
      },
      unlinkAccount,
    ),

    post(
      '/link-request',
      {
        summary: 'Mail a link that adds an address, or resolves an OAuth conflict',
        body: LinkRequestBody,
        errors: ['INVALID_TOKEN', 'SESSION_REVOKED', 'CSRF_INVALID', ...freshnessCodes(services)],
      },
      requestLink,
    ),

    post(
      '/link-verify',
      {
        summary: 'Link the account with the mailed token, and sign in if requested',
        body: LinkVerifyBody,
        reply: Issued,
        errors: ['INVALID_LINK_TOKEN'],
        signsIn: LINK_METHOD,
        limits: ({ request }) => [['secretsPerIp', request.ip]],
      },
      verifyLink,
    ),
  ],
});
