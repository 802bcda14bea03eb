import { problemByRules } from './features/password-rules/rules.js';
import { acceptWith, type RegistrationCallback } from './features/registration/decision.js';
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

/**
 * May this person register? Accept with the metadata to store: nothing else of the input reaches
 * the account. Or `return reject('One sentence for the person.')`. Set it to undefined and
 * POST /register is gone.
 */
export const onRegister: RegistrationCallback | undefined = async ({ fields }) =>
  acceptWith(Object.fromEntries(profileFields.map((name) => [name, fields[name]])));
