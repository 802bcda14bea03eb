import { get } from '../admin/route.js';
import { findUser } from '../admin/users/find-user.js';
import { LinkedAccountList, linkedAccountView } from './views.js';

export const adminRoutes = [
  get(
    '/users/{id}/linked-accounts',
    {
      summary: 'The linked accounts of a user',
      permission: 'users:read',
      reply: LinkedAccountList,
      errors: ['NOT_FOUND'],
    },
    async ({ params, services }) => {
      const { id } = await findUser(services, params);
      const accounts = await services.accountLinking.listOfUser(id);
      return { body: { linkedAccounts: accounts.map(linkedAccountView), total: accounts.length } };
    },
  ),
];
