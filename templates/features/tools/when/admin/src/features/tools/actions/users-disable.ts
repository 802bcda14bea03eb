import * as z from 'zod';
import { recordAct } from '../../../events/transactions.js';
import { refuse } from '../../../http/errors.js';
import { disableUser } from '../../../session/end-session.js';
import { defineAction } from '../action.js';

/** Whoever has it may write the script, which must not reach further than they do. */
const PERMISSION = 'users:write';

export const usersDisable = defineAction({
  id: 'users.disable',
  label: { en: 'Disable a user', de: 'Konto sperren' },
  category: 'Users',
  description: {
    en: 'Disables the user {id} and ends their sessions; false if already disabled. Fails for a user who has more permissions.',
    de: 'Sperrt das Konto {id} und beendet seine Sitzungen; false, wenn es schon gesperrt war. Scheitert bei einem Konto, das mehr Rechte hat.',
  },
  dependsOn: ['users.find'],
  permission: PERMISSION,
  changes: true,
  input: z.object({ id: z.string().max(64) }),
  fn: ({ id }, { actor, services }) =>
    services.transaction(async (tx) => {
      const held = (await tx.roles.listOfUser(id)).flatMap((role) => role.permissions);
      if (held.some((permission) => permission !== PERMISSION)) throw refuse('FORBIDDEN');
      const isChanged = await disableUser(tx, id, { actor });
      if (isChanged)
        await recordAct(tx, { actor, action: 'users.disable', target: id, details: {} });
      return isChanged;
    }),
});
