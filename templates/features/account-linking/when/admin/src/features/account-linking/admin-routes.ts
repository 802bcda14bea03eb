import { z } from 'zod';
import { ListPage, pageOf } from '../admin/list-page.js';
import { get } from '../admin/route.js';
import { findUser } from '../admin/users/find-user.js';
import { LinkedAccountList, linkedAccountView } from './views.js';

export const adminRoutes = [
  get(
    '/users/{id}/linked-accounts',
    {
      summary: 'The linked accounts of a user',
      permission: 'users:read',
      query: ListPage,
      reply: LinkedAccountList.extend({ total: z.number() }),
      errors: ['NOT_FOUND'],
    },
    async ({ params, query, services }) => {
      const user = await findUser(services, params);
      const accounts = await services.accountLinking.listOfUser(user.id);
      const { items, total } = pageOf(accounts, query, ({ provider, id, email }) => [
        provider,
        id,
        email,
      ]);
      return { body: { linkedAccounts: items.map(linkedAccountView), total } };
    },
  ),
];
