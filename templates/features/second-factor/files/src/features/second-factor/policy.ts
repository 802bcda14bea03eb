import type { Account } from '../../users/account.js';

// This file is yours: no upgrade changes it.

/** True for accounts that must have a second factor even without the setting `require2FA`, such as administrators. */
export function requiresSecondFactor(_account: Account): boolean {
  return false;
}
