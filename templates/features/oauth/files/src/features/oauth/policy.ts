import type { Identity } from './identity.js';

// This file is yours: no upgrade changes it.

/** May this person open an account by signing in? The metadata to store, or undefined to refuse. */
export async function metadataOfNewUser(
  _provider: string,
  { name }: Identity,
): Promise<Record<string, unknown> | undefined> {
  return name === null ? {} : { name };
}
