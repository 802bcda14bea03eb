import { refuse } from '../../http/errors.js';
import type { Services } from '../../services.js';
import type { Account } from '../../session/caller.js';
import { hasPermission } from '../../users/permissions.js';
import { ADMIN_ROLE } from '../../users/role-grant.js';

/**
 * Nobody hands out, takes away or defines what they do not have themselves: else whoever may edit
 * roles could make themselves an administrator (OWASP ASVS 4.1.3, privilege escalation).
 * Throws FORBIDDEN.
 */
export function requireWithinOwn(caller: Account, permissions: string[]): void {
  if (!permissions.every((permission) => hasPermission(caller, permission))) {
    throw refuse('FORBIDDEN');
  }
}

/** Nobody acts on an account that may do more than they themselves. Throws FORBIDDEN. */
export async function requireNotAbove(
  { roles }: Services,
  caller: Account,
  userId: string,
): Promise<void> {
  const held = await roles.listOfUser(userId);
  requireWithinOwn(
    caller,
    held.flatMap(({ permissions }) => permissions),
  );
}

/**
 * Somebody must be left who can undo what has been done. Throws LAST_ADMINISTRATOR if the user is
 * the only one with the role admin whose account is not disabled.
 */
export async function requireOtherAdministrator(
  { roles }: Services,
  userId: string,
): Promise<void> {
  // Two who remove each other at once must not each count on the other.
  await roles.lock(ADMIN_ROLE);
  const holders = await roles.holders(ADMIN_ROLE);
  if (!holders.includes(userId)) return;
  if ((await roles.countOtherHolders(ADMIN_ROLE, userId)) === 0) {
    throw refuse('LAST_ADMINISTRATOR');
  }
}
