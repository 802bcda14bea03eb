import { now } from '../process/clock.js';
import type { Services } from '../services.js';
import { disableUser } from '../session/end-session.js';
import { ADMIN_ROLE } from '../users/account.js';
import { emailField, type User } from '../users/user.js';
import { print } from './command.js';

/**
 * Makes an account that holds the role admin. The address counts as verified: whoever may run this
 * vouches for it. `addCredential` adds what the account signs in with, in the same transaction.
 * False if there is an account with that address; it is not promoted, since somebody else may have
 * registered it.
 */
export async function addAdmin(
  services: Services,
  email: string,
  addCredential: (tx: Services, userId: string) => Promise<void> = async () => {},
): Promise<boolean> {
  return services.transaction(async (tx) => {
    const loginProvider = 'local';
    const user = await tx.users.create({ email, loginProvider, emailVerifiedAt: now() });
    if (!user) return false;
    await addCredential(tx, user.id);
    await tx.userRoles.assign(user.id, ADMIN_ROLE);
    tx.events.publish('identity.user.created', { email, loginProvider }, { userId: user.id });
    tx.events.publish('identity.role.assigned', { role: ADMIN_ROLE }, { userId: user.id });
    return true;
  });
}

/** Prints how `addAdmin` went. Throws if it made nothing. */
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
export function onlyEmail([email, ...others]: string[]): string {
  const parsed = emailField.safeParse(email);
  if (!parsed.success || others.length > 0) throw new Error('Give one email address.');
  return parsed.data;
}

/** `admin promote <email>`: gives the role admin to an account. */
export async function promoteUser(services: Services, args: string[]): Promise<void> {
  const { id: userId, email } = await userNamed(services, args);
  const isNew = await services.withEvents(async (tx) => {
    if (!(await tx.userRoles.assign(userId, ADMIN_ROLE))) return false;
    tx.events.publish('identity.role.assigned', { role: ADMIN_ROLE }, { userId });
    return true;
  });
  print(`${email} is an administrator ${isNew ? 'now' : 'already'}.`);
}

/** `admin disable <email>`: ends all sessions, and lets nobody sign in. */
export async function disableAccount(services: Services, args: string[]): Promise<void> {
  const { id, email } = await userNamed(services, args);
  const isNew = await disableUser(services, id, {});
  print(`${email} is disabled ${isNew ? 'now' : 'already'}.`);
}

/** `admin enable <email>`. */
export async function enableAccount(services: Services, args: string[]): Promise<void> {
  const { id, email } = await userNamed(services, args);
  const isNew = await services.users.setDisabled(id, null);
  print(`${email} is enabled ${isNew ? 'now' : 'already'}.`);
}

async function userNamed(services: Services, args: string[]): Promise<User> {
  const email = onlyEmail(args);
  const user = await services.users.findByEmail(email);
  if (!user) throw new Error(`There is no account with the address ${email}.`);
  return user;
}

const PAGE = 100;

/** `admin list [part of an address]`: a line for each account. */
export async function listUsers(services: Services, [filter]: string[]): Promise<void> {
  for (let offset = 0; ; offset += PAGE) {
    const users = await services.users.list({ limit: PAGE, offset, filter });
    for (const user of users) print(await lineOf(services, user));
    if (users.length < PAGE) return;
  }
}

/** Id, address, roles, time of creation, and whether it is disabled. */
async function lineOf(services: Services, { id, email, createdAt, disabledAt }: User) {
  const account = await services.users.findAccount(id);
  const roles = account?.roles.names.join(',') || '-';
  const created = new Date(createdAt).toISOString();
  return [id, email, roles, created, ...(disabledAt === null ? [] : ['disabled'])].join('  ');
}
