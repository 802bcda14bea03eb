import { refuse } from '../../http/errors.js';
import type { Call } from '../../http/route.js';
import type { Services } from '../../services.js';
import { type Account, hasPermission } from '../../users/account.js';
import type { User } from '../../users/user.js';

/**
 * True for permissions that the caller has. Nobody may grant, revoke or define others: otherwise a user who may edit
 * roles could become an administrator (ASVS 8.2.1, privilege escalation).
 */
export function holdsAll(caller: Account, permissions: string[]): boolean {
  return permissions.every((permission) => hasPermission(caller, permission));
}

/** Throws FORBIDDEN for a permission that the caller lacks. */
export function requireAll(caller: Account, permissions: string[]): void {
  if (!holdsAll(caller, permissions)) throw refuse('FORBIDDEN');
}

type UserCall = Pick<Call, 'params' | 'services'>;

/** The account of the user in the path. Throws NOT_FOUND. */
export async function accountInPath({ params, services }: UserCall): Promise<Account> {
  const account = await services.users.findAccount(params.id ?? '');
  if (!account) throw refuse('NOT_FOUND');
  return account;
}

/** The user in the path. Throws NOT_FOUND, or FORBIDDEN if they have a permission that the caller lacks. */
export async function findManageableUser(call: UserCall & { caller: Account }): Promise<User> {
  const { user, roles } = await accountInPath(call);
  requireAll(call.caller, roles.permissions);
  return user;
}

/** True for a user who has a permission that the caller lacks. */
export async function outranks({ users }: Services, caller: Account, userId: string) {
  const account = await users.findAccount(userId);
  return !holdsAll(caller, account?.roles.permissions ?? []);
}
