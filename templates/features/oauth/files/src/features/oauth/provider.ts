import type { ServerMetadata } from 'openid-client';
import * as z from 'zod';
import type { Config } from '../../config.js';
import { emailField } from '../../users/user.js';
import type { ProviderAccount } from '../account-linking/linked-accounts.js';

interface AnyProvider {
  /** The provider's URL, unless its variable says otherwise. */
  url?: string;
  /**
   * The default of `OAUTH_<NAME>_LINK_BY_EMAIL`: whether an address that it calls verified counts
   * as verified here. Absent: it verifies none, so none counts.
   */
  linksByEmail?: boolean;
  /** Absent: `openid email profile`. */
  scope?: string;
  /** Makes the client secret, which otherwise is a variable; undefined if its own variables are not configured. */
  makeSecret?(config: Config, clientId: string): string | undefined;
  /** Further parameters of the authorization request. */
  parameters?: Record<string, string>;
}

/** An OpenID provider: endpoints and keys by discovery from its issuer, identity from signed claims. */
export interface OpenIdProvider extends AnyProvider {
  protocol: 'openid';
  /** Absent: the standard claims. `query` is that of the callback, and is not signed. */
  identityOf?(claims: Record<string, unknown>, query: URLSearchParams): RawIdentity;
}

/** A provider of plain OAuth 2: the identity is read from its API. */
export interface OAuthProvider extends AnyProvider {
  protocol: 'oauth';
  url: string;
  server(url: string): ServerMetadata;
  /** `read` gets JSON from the API with the access token. */
  identityOf(url: string, read: (from: string) => Promise<unknown>): Promise<RawIdentity>;
}

export type Provider = OpenIdProvider | OAuthProvider;

/** Who signed in at a provider; `email` in normal form. */
export interface Identity extends ProviderAccount {
  /** True only if the provider itself has verified the address, and its verification counts here. */
  isEmailVerified: boolean;
}

/** What a provider's mapping function returns, not validated yet. */
export type RawIdentity = { [Field in keyof Omit<Identity, 'provider'>]?: unknown };

/** The standard claims of OpenID Connect Core 1.0 §5.1. */
export function identityOfClaims(claims: Record<string, unknown>): RawIdentity {
  const { sub, email, email_verified, name, picture } = claims;
  return { id: sub, email, isEmailVerified: email_verified, name, picture };
}

const schema = z.object({
  // No lone surrogates (Cs): a database would store all of them as the same character.
  id: z
    .string()
    .max(255)
    .regex(/^[^\p{Cc}\p{Cs}]+$/u),
  email: emailField.nullable().catch(null),
  isEmailVerified: z.boolean().catch(false),
  name: z
    .string()
    .transform((text) => text.replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim())
    .pipe(z.string().min(1).max(200))
    .nullable()
    .catch(null),
  // A front end uses it as a URL: it must never be a script.
  picture: z
    .url({ protocol: /^https?$/, normalize: true })
    .max(2048)
    .nullable()
    .catch(null),
});

const ASCII = /^\p{ASCII}*$/u;

/**
 * Validates what a provider returned: a malformed name or address counts as absent. An address with
 * characters outside ASCII counts as unverified: normalization maps some of them to ASCII (K, the Kelvin
 * sign, to k), so the provider may have verified another mailbox. Throws without a valid id.
 */
export function checkIdentity(
  { name, linksByEmail }: { name: string; linksByEmail: boolean },
  raw: RawIdentity,
): Identity {
  const account = schema.parse(raw);
  const isEmailVerified = linksByEmail && account.isEmailVerified && ASCII.test(String(raw.email));
  return { provider: name, ...account, isEmailVerified };
}
