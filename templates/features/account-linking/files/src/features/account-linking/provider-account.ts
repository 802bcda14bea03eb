/** An account elsewhere, as its provider tells of it. */
export interface ProviderAccount {
  provider: string;
  /** The provider's own, unchanging name for it. */
  id: string;
  email: string | null;
  name: string | null;
  picture: string | null;
}

/** The provider of an address that its owner has proved by mail: it opens nothing by itself. */
export const ADDRESS = 'email';

/** A further address, in the shape of a provider's account. */
export function addressAccount(email: string): ProviderAccount {
  return { provider: ADDRESS, id: email, email, name: null, picture: null };
}
