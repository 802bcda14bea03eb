import type { EventCause } from '../events/bus.js';
import type { Services } from '../services.js';
import { ADMIN_ROLE, openAccount } from '../users/account.js';
import { emailField, type User } from '../users/user.js';
import { type CommandCall, print } from './command.js';

/** Adds what an account signs in with, in the transaction that makes it. */
type AddCredential = (tx: Services, userId: string) => Promise<void>;

/**
 * Makes an account that holds the role admin. The address counts as proven: whoever may run this
 * vouches for it. False if there is an account with that address; it is not promoted, since somebody
 * else may have registered it.
 */
export async function addAdmin(
  services: Services,
  email: string,
  addCredential?: AddCredential,
  cause: Omit<EventCause, 'userId'> = {},
): Promise<boolean> {
  return services.transaction(async (tx) => {
    const admin = { email, loginProvider: 'local', isEmailProven: true, role: ADMIN_ROLE };
    const user = await openAccount(tx, admin, cause, addCredential);
    if (!user) return false;
    const subject = { ...cause, userId: user.id };
    tx.events.publish('identity.role.assigned', { role: ADMIN_ROLE }, subject);
    return true;
  });
}

/** `admin create`. Throws if there is an account with that address. */
export async function commitAdmin(
  { commit }: CommandCall,
  email: string,
  addCredential?: AddCredential,
): Promise<void> {
  // The events of the same transaction name the account.
  const subject = { target: null, details: { role: ADMIN_ROLE } };
  const isNew = await commit(subject, (tx, cause) => addAdmin(tx, email, addCredential, cause));
  if (!isNew) throw new Error(`${email} has an account already: promote it instead.`);
  print(`${email} is an administrator now.`);
}

/** Gives the role admin to an account; false if it holds it already. */
export async function promote(
  services: Services,
  userId: string,
  cause: Omit<EventCause, 'userId'>,
): Promise<boolean> {
  return services.transaction(async (tx) => {
    if (!(await tx.userRoles.assign(userId, ADMIN_ROLE))) return false;
    tx.events.publish('identity.role.assigned', { role: ADMIN_ROLE }, { ...cause, userId });
    return true;
  });
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
export function onlyEmail([email, ...others]: string[]): string {
  const parsed = emailField.safeParse(email);
  if (!parsed.success || others.length > 0) throw new Error('Give one email address.');
  return parsed.data;
}

/** The account of the one address among a command's arguments. Throws if there is none. */
export async function accountNamed({ users }: Services, args: string[]): Promise<User> {
  const email = onlyEmail(args);
  const user = await users.findByEmail(email);
  if (!user) throw new Error(`There is no account with the address ${email}.`);
  return user;
}
