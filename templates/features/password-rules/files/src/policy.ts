import { problemByRules } from './features/password-rules/rules.js';
import type { Account } from './users/account.js';

// Your rules. This file is yours: no upgrade changes it.

/** The role that a new account gets. */
export const defaultRole = 'user';

/** The fields of a profile: sent when registering, changed by PATCH /profile. */
export const profileFields = ['firstName', 'lastName', 'name'];

/** Your own claims in the access token; they cannot replace the service's. */
export function tokenClaims(_account: Account): Record<string, unknown> {
  return {};
}

/** Why an address is refused for an account, as a sentence; undefined if it is not. Asked wherever one is set. */
export async function emailProblem(_email: string): Promise<string | undefined> {
  return undefined;
}

/** Why a new password is refused, as a sentence; undefined if it is not. Asked wherever one is set. */
export const passwordProblem = problemByRules;
