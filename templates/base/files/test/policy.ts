// Stands in for `src/policy.ts` in tests (see `vitest.config.ts`), so that they hold whatever yours says.

export const defaultRole = 'user';

export const profileFields = ['firstName', 'lastName', 'name'];

export function tokenClaims(): Record<string, unknown> {
  return {};
}
