import type { PasswordOwner } from '../src/features/password/password.js';
import { acceptWith, type RegistrationCallback } from '../src/features/registration/decision.js';
import type { RegistrationInput } from '../src/features/registration/new-account.js';

const onlyProfile: RegistrationCallback = async ({ fields }) =>
  acceptWith(Object.fromEntries(profileFields.map((name) => [name, fields[name]])));

/**
 * Stands in for `src/policy.ts` in tests (see `vitest.config.ts`), so that they hold whatever yours says. A test
 * replaces a rule with `vi.spyOn(policy, …)`; the end of its service puts it back.
 */
export const policy = {
  emailProblem: async (_email: string): Promise<string | undefined> => undefined,
  passwordProblem: async (_password: string, _owner: PasswordOwner): Promise<string | undefined> =>
    undefined,
  onRegister: onlyProfile,
};

export const defaultRole = 'user';

export const profileFields = ['firstName', 'lastName', 'name'];

export function tokenClaims(): Record<string, unknown> {
  return {};
}

export function passwordProblem(
  password: string,
  owner: PasswordOwner,
): Promise<string | undefined> {
  return policy.passwordProblem(password, owner);
}

export function onRegister(input: RegistrationInput) {
  return policy.onRegister(input);
}

export function emailProblem(email: string): Promise<string | undefined> {
  return policy.emailProblem(email);
}

/** What a person sends to register. */
export const ADA = { email: 'ada@example.com', password: 'correct horse battery staple' };
