import type { Identity } from '../../../src/features/oauth/provider.js';

// Replaces `src/features/oauth/policy.ts` in tests (see `vitest.config.ts`).

export async function metadataOfNewUser(
  _provider: string,
  { name }: Identity,
): Promise<Record<string, unknown> | undefined> {
  return name === null ? {} : { name };
}
