import { z } from 'zod';
import { inTransaction } from '../../../services.js';
import { disableUser } from '../../../users/disable-user.js';
import { requireOtherAdministrator } from '../../roles/within-own.js';
import { defineAction } from '../action.js';

export const usersDisable = defineAction({
  id: 'users.disable',
  label: 'Disable a user',
  category: 'Users',
  description:
    'Disables the user {id} and ends their sessions; false if that was done before. Fails for the last administrator.',
  dependsOn: ['users.find'],
  input: z.object({ id: z.string().max(64) }),
  fn: ({ id }, { services }) =>
    inTransaction(services, async (inside) => {
      await requireOtherAdministrator(inside, id);
      return disableUser(inside, id, {});
    }),
});
