import type { ServerMetadata } from 'openid-client';
import type { Config } from '../../config.js';
import type { RawIdentity } from './identity.js';

/** What the provider knows this service as; without either it is not configured. */
export interface OAuthClient {
  clientId: string | undefined;
  clientSecret: string | undefined;
}

interface AnyProvider {
  scope: string;
  client(config: Config): OAuthClient;
  /** Its URL variable: plain http is for tests on this machine only. */
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
