// Replaces `src/policy.ts` in tests (see `vitest.config.ts`), so that they pass whatever yours says.

export const defaultRole = 'user';

export const profileFields = ['firstName', 'lastName', 'name'];

export function tokenClaims(): Record<string, unknown> {
  return {};
}

export async function emailProblem(): Promise<string | undefined> {
  return undefined;
}
