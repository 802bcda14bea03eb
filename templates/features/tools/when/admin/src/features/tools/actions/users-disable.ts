import { z } from 'zod';
import { disableUser } from '../../../session/end-session.js';
import { requireOtherAdministrator } from '../../admin/privilege.js';
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
    services.transaction(async (tx) => {
      await requireOtherAdministrator(tx, id);
      return disableUser(tx, id, {});
    }),
});
