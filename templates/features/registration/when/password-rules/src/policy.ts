import { problemByRules } from './features/password-rules/feature.js';
import { acceptWith, type RegistrationCallback } from './features/registration/decision.js';
import type { Account } from './users/account.js';

// Your rules. This file is yours: no upgrade changes it.

/** The role that a new account gets. */
export const defaultRole = 'user';

/** The fields of a profile: whoever registers may send them, and PATCH /profile changes them. */
export const profileFields = ['firstName', 'lastName', 'name'];

/** Claims of your own in the access token; they cannot replace the service's. */
export function tokenClaims(_account: Account): Record<string, unknown> {
  return {};
}

/** What is wrong with an account's new address, as a sentence; undefined if nothing. Called wherever its owner sets one. */
export async function emailProblem(_email: string): Promise<string | undefined> {
  return undefined;
}

/** What is wrong with a new password, as a sentence; undefined if nothing. Called wherever one is set. */
export const passwordProblem = problemByRules;

/**
 * Decides whether somebody may register. Accept with the texts to store: nothing else of the
 * input reaches the account. Or `return reject('One sentence for the person.')`. Set it to
 * undefined to remove POST /register.
 */
export const onRegister: RegistrationCallback | undefined = async ({ fields }) =>
  acceptWith(Object.fromEntries(profileFields.map((name) => [name, fields[name]])));
