import { parseArgs } from 'node:util';
import { type Services, withEvents } from '../services.js';
import { ADMIN_ROLE } from '../users/role-grant.js';
import { onlyEmail } from './add-admin.js';
import { print } from './run-command.js';

/** `admin promote <email>`: gives the role admin to an account. Throws if there is none. */
export async function promoteUser(services: Services, args: string[]): Promise<void> {
  const email = onlyEmail(parseArgs({ args, allowPositionals: true }).positionals);
  const user = await services.users.findByEmail(email);
  if (!user) throw new Error(`There is no account with the address ${email}.`);
  const isNew = await withEvents(services, async (inside) => {
    if (!(await inside.userRoles.assign(user.id, ADMIN_ROLE))) return false;
    inside.events.publish('identity.role.assigned', { role: ADMIN_ROLE }, { userId: user.id });
    return true;
  });
  if (!isNew) return print(`${email} is an administrator already.`);
  print(`${email} is an administrator now.`);
}
