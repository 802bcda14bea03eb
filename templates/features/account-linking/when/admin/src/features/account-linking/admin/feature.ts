import { z } from 'zod';
import { defineFeature } from '../../../feature.js';
import type { Route } from '../../../http/route.js';
import { adminPrefix } from '../../admin/feature.js';
import { findUser } from '../../admin/privilege.js';
import { get, ListPage, pageOf } from '../../admin/route.js';
import { LinkedAccountList, linkedAccountView } from '../linked-accounts.js';

export const accountLinkingAdmin = defineFeature({
  prefix: adminPrefix,
  routes: (): Route[] => [
    get(
      '/users/{id}/linked-accounts',
      {
        summary: 'List the linked accounts of a user',
        permission: 'users:read',
        query: ListPage,
        reply: LinkedAccountList.extend({ total: z.number() }),
        errors: ['NOT_FOUND'],
      },
      async (call) => {
        const { id } = await findUser(call);
        const accounts = await call.services.accountLinking.listOfUser(id);
        const { items, total } = pageOf(accounts, call.query, (each) => [
          each.provider,
          each.id,
          each.email,
        ]);
        return { body: { linkedAccounts: items.map(linkedAccountView), total } };
      },
    ),
  ],
});
