import { refuse } from '../../http/errors.js';
import type { Call } from '../../http/route.js';
import type { Services } from '../../services.js';
import { type Account, hasPermission } from '../../users/account.js';
import type { User } from '../../users/user.js';

/**
 * True for permissions that the caller has. Nobody may grant, revoke or define others: a user who may edit roles could
 * become an administrator (ASVS 8.2.1, privilege escalation).
 */
export function holdsAll(caller: Account, permissions: string[]): boolean {
  return permissions.every((permission) => hasPermission(caller, permission));
}

/** Throws FORBIDDEN for a permission that the caller lacks. */
export function requireAll(caller: Account, permissions: string[]): void {
  if (!holdsAll(caller, permissions)) throw refuse('FORBIDDEN');
}

type UserCall = Pick<Call, 'params' | 'services'>;

/** The user in the path. Throws NOT_FOUND. */
export async function findUser({ params, services }: UserCall): Promise<User> {
  const user = await services.users.findById(params.id ?? '');
  if (!user) throw refuse('NOT_FOUND');
  return user;
}

/** The user in the path. Throws NOT_FOUND, or FORBIDDEN if they have a permission that the caller lacks. */
export async function findManageableUser(call: UserCall & { caller: Account }): Promise<User> {
  const user = await findUser(call);
  await requireManageable(call.services, call.caller, user.id);
  return user;
}

/** Throws FORBIDDEN for a user who has a permission that the caller lacks. */
export async function requireManageable(
  services: Services,
  caller: Account,
  userId: string,
): Promise<void> {
  if (await outranks(services, caller, userId)) throw refuse('FORBIDDEN');
}

/** True for a user who has a permission that the caller lacks. */
export async function outranks({ roles }: Services, caller: Account, userId: string) {
  const permissions = (await roles.listOfUser(userId)).flatMap((role) => role.permissions);
  return !holdsAll(caller, permissions);
}
