import type { Account } from '../../session/caller.js';

// This file is yours: no upgrade changes it.

/** True for accounts that must have a second factor, whatever the setting `require2FA` says: such as admins. */
export function requiresSecondFactor(_account: Account): boolean {
  return false;
}
