import type { ServerMetadata } from 'openid-client';
import { z } from 'zod';
import type { Config } from '../../config.js';
import { variable } from '../../process/environment.js';
import { emailField } from '../../users/user.js';
import type { ProviderAccount } from '../account-linking/linked-accounts.js';

interface AnyProvider {
  scope: string;
  /** The client's credentials; without both the provider is not configured. */
  client(config: Config): { clientId: string | undefined; clientSecret: string | undefined };
  /** The variable with its URL; plain http is for tests on localhost only. */
  urlVariable: keyof Config;
}

/** An OpenID provider: endpoints and keys by discovery, identity from signed claims. */
export interface OpenIdProvider extends AnyProvider {
  protocol: 'openid';
  issuer(config: Config): string | undefined;
  identityOf(claims: Record<string, unknown>): RawIdentity;
}

/** A provider of plain OAuth 2: the identity is read from its API. */
export interface OAuthProvider extends AnyProvider {
  protocol: 'oauth';
  server(config: Config): ServerMetadata;
  /** `read` gets JSON from the API with the access token. */
  identityOf(config: Config, read: (url: string) => Promise<unknown>): Promise<RawIdentity>;
}

export type Provider = OpenIdProvider | OAuthProvider;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A provider's URL: https, or http on localhost. Kept as written, because issuers are compared as text. */
export function providerUrl() {
  return variable('an https URL without query (http only on this machine)', (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || url.search || url.hash || url.href.includes('@')) return undefined;
    if (url.protocol === 'https:') return text;
    return url.protocol === 'http:' && LOOPBACK.test(url.hostname) ? text : undefined;
  });
}

/** Who signed in at a provider; `email` in normal form. */
export interface Identity extends ProviderAccount {
  /** True only if the provider itself has verified the address. */
  isEmailVerified: boolean;
}

/** What a provider's mapping function returns, not validated yet. */
export type RawIdentity = { [Field in keyof Omit<Identity, 'provider'>]?: unknown };

/** The standard claims of OpenID Connect Core 1.0 §5.1. */
export function identityOfClaims(claims: Record<string, unknown>): RawIdentity {
  const { sub, email, email_verified, name, picture } = claims;
  return { id: sub, email, isEmailVerified: email_verified, name, picture };
}

const optionalText = (length: number) =>
  z
    .string()
    .transform((text) => text.replace(/\p{Cc}/gu, ' ').trim())
    .pipe(z.string().min(1).max(length))
    .nullable()
    .catch(null);

const schema = z.object({
  // No lone surrogates (Cs): a database would store all of them as the same character.
  id: z
    .string()
    .max(255)
    .regex(/^[^\p{Cc}\p{Cs}]+$/u),
  email: emailField.nullable().catch(null),
  isEmailVerified: z.boolean().catch(false),
  name: optionalText(200),
  picture: optionalText(2048),
});

const ASCII = /^\p{ASCII}*$/u;

/**
 * Validates what a provider returned: a malformed name or address counts as absent. An address with
 * characters outside ASCII counts as unverified: normalisation maps some of them to ASCII (K, the Kelvin
 * sign, to k), so the provider may have verified another mailbox. Throws without a valid id.
 */
export function checkIdentity(provider: string, raw: RawIdentity): Identity {
  const { isEmailVerified, ...account } = schema.parse(raw);
  const isAscii = ASCII.test(String(raw.email));
  return { provider, ...account, isEmailVerified: isEmailVerified && isAscii };
}
