import { refuse } from '../http/errors.js';
import type { Account } from '../session/caller.js';

/** True if one of the account's permissions covers `<resource>:<action>`; `*` stands for any. */
export function hasPermission(account: Account, permission: string): boolean {
  const wanted = permission.split(':');
  return account.roles.permissions.some((each) => {
    const granted = each.split(':');
    return (
      granted.length === wanted.length && granted.every((part, at) => covers(part, wanted[at]))
    );
  });
}

/** Throws FORBIDDEN unless the account has the permission. */
export function requirePermission(account: Account, permission: string): void {
  if (!hasPermission(account, permission)) throw refuse('FORBIDDEN');
}

function covers(granted: string, wanted: string | undefined): boolean {
  return granted === '*' || granted === wanted;
}
