import type { Identity } from './provider.js';

// This file is yours: no upgrade changes it.

/** Decides whether a sign-in may create an account: returns the metadata to store, or undefined to refuse. */
export async function metadataOfNewUser(
  _provider: string,
  { name }: Identity,
): Promise<Record<string, unknown> | undefined> {
  return name === null ? {} : { name };
}
