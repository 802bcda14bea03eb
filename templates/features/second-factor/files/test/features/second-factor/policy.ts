// Replaces `src/features/second-factor/policy.ts` in tests (see `vitest.config.ts`).

export function requiresSecondFactor(): boolean {
  return false;
}
