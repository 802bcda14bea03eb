import type { Account } from './session/caller.js';

// Your rules. This file is yours: no upgrade changes it.

/** The role that a new account gets. */
export const defaultRole = 'user';

/** Claims of your own in the access token; they cannot replace the service's. */
export function tokenClaims(_account: Account): Record<string, unknown> {
  return {};
}

/** What is wrong with a new password, as a sentence; undefined if nothing. Serves every way to set one. */
export async function passwordProblem(_password: string): Promise<string | undefined> {
  return undefined;
}
