import type { PasswordOwner } from '../src/features/password/password.js';

/**
 * Stands in for `src/policy.ts` in tests (see `vitest.config.ts`), so that they hold whatever yours says. A test
 * replaces a rule with `vi.spyOn(policy, …)`; the end of its service puts it back.
 */
export const policy = {
  emailProblem: async (_email: string): Promise<string | undefined> => undefined,
  passwordProblem: async (_password: string, _owner: PasswordOwner): Promise<string | undefined> =>
    undefined,
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

export function emailProblem(email: string): Promise<string | undefined> {
  return policy.emailProblem(email);
}
