import { refuse } from '../http/errors.js';
import type { Account } from '../session/caller.js';

/** True if one of the account's permissions covers `<resource>:<action>`; `*` stands for any. */
export function hasPermission(account: Account, permission: string): boolean {
  const [resource, action] = permission.split(':');
  return account.roles.permissions.some((granted) => {
    const [grantedResource, grantedAction] = granted.split(':');
    return covers(grantedResource, resource) && covers(grantedAction, action);
  });
}

/** Throws FORBIDDEN unless the account has the permission. */
export function requirePermission(account: Account, permission: string): void {
  if (!hasPermission(account, permission)) throw refuse('FORBIDDEN');
}

function covers(granted: string | undefined, wanted: string | undefined): boolean {
  return granted === '*' || (granted !== undefined && granted === wanted);
}
