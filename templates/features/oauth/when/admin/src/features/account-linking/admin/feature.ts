import { defineFeature } from '../../../feature.js';
import type { Route } from '../../../http/route.js';
import { adminPrefix } from '../../admin/feature.js';
import { list, pageOf } from '../../admin/list.js';
import { accountInPath } from '../../admin/privilege.js';
import { LinkedAccountView, linkedAccountView } from '../linked-accounts.js';

export const accountLinkingAdmin = defineFeature({
  prefix: adminPrefix,
  routes: (): Route[] => [
    list('/users/{id}/linked-accounts', {
      summary: 'List the linked accounts of a user',
      permission: 'users:read',
      of: 'linkedAccounts',
      item: LinkedAccountView,
      errors: ['NOT_FOUND'],
      read: async (call) => {
        const { id } = (await accountInPath(call)).user;
        const accounts = await call.services.accountLinking.listOfUser(id);
        return pageOf(accounts.map(linkedAccountView), call.query, (each) => [
          each.provider,
          each.providerAccountId,
          each.email,
        ]);
      },
    }),
  ],
});
