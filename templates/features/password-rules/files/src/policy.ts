import { problemByRules } from './features/password-rules/rules.js';
import type { Account } from './users/account.js';

// Your rules. This file is yours: no upgrade changes it.

/** The role that a new account gets. */
export const defaultRole = 'user';

/** What a profile consists of: whoever registers may send these fields, PATCH /profile changes them. */
export const profileFields = ['firstName', 'lastName', 'name'];

/** Claims of your own in the access token; they cannot replace the service's. */
export function tokenClaims(_account: Account): Record<string, unknown> {
  return {};
}

/** What is wrong with a new password, as a sentence; undefined if nothing. Serves every way to set one. */
export const passwordProblem = problemByRules;
