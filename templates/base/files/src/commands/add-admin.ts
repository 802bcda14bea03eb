import { now } from '../clock.js';
import { inTransaction, type Services } from '../services.js';
import { emailField } from '../users/email.js';
import { ADMIN_ROLE } from '../users/role-grant.js';
import { print } from './run-command.js';

/**
 * Makes an account that holds the role admin. The address counts as verified: whoever may run this
 * vouches for it. `furnish` adds what the account signs in with, in the same transaction.
 * False if there is an account with that address. It is never promoted along the way: somebody else
 * may have registered it.
 */
export async function addAdmin(
  services: Services,
  email: string,
  furnish: (services: Services, userId: string) => Promise<void> = async () => {},
): Promise<boolean> {
  return inTransaction(services, async (within) => {
    const loginProvider = 'local';
    const user = await within.users.create({ email, loginProvider, emailVerifiedAt: now() });
    if (!user) return false;
    await furnish(within, user.id);
    await within.userRoles.assign(user.id, ADMIN_ROLE);
    within.events.publish('identity.user.created', { email, loginProvider }, { userId: user.id });
    within.events.publish('identity.role.assigned', { role: ADMIN_ROLE }, { userId: user.id });
    return true;
  });
}

/** Tells how `addAdmin` went. Throws if it made nothing. */
export function reportAdmin(email: string, isNew: boolean): void {
  if (!isNew) throw new Error(`${email} has an account already: promote it instead.`);
  print(`${email} is an administrator now.`);
}

/** The address of the administrator to make at start; undefined if there is one, or none is wanted. */
export async function adminDue(services: Services): Promise<string | undefined> {
  const email = services.config.BOOTSTRAP_ADMIN_EMAIL;
  if (!email || (await services.userRoles.isHeld(ADMIN_ROLE))) return undefined;
  if (!(await services.users.findByEmail(email))) return email;
  services.log.warn('BOOTSTRAP_ADMIN_EMAIL has an account already: promote it if it is yours');
  return undefined;
}

/** The one address among a command's arguments, in normal form. Throws if there is not exactly one. */
export function onlyEmail(positionals: string[]): string {
  const [email, ...others] = positionals;
  const parsed = emailField.safeParse(email);
  if (!parsed.success || others.length > 0) throw new Error('Give one email address.');
  return parsed.data;
}
