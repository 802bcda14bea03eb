import * as z from 'zod';
import { recordAct } from '../../../events/transactions.js';
import { disableUser } from '../../../session/end-session.js';
import { defineAction } from '../action.js';

export const usersDisable = defineAction({
  id: 'users.disable',
  label: { en: 'Disable a user', de: 'Konto sperren' },
  category: 'Users',
  description: {
    en: 'Disables the user {id} and ends their sessions; false if already disabled.',
    de: 'Sperrt das Konto {id} und beendet seine Sitzungen; false, wenn es schon gesperrt war.',
  },
  dependsOn: ['users.find'],
  permission: 'users:write',
  changes: true,
  input: z.object({ id: z.string().max(64) }),
  fn: ({ id }, { actor, services }) =>
    services.transaction(async (tx) => {
      const isChanged = await disableUser(tx, id, { actor });
      if (isChanged)
        await recordAct(tx, { actor, action: 'users.disable', target: id, details: {} });
      return isChanged;
    }),
});
