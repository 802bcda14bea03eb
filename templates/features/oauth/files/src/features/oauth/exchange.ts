import {
  authorizationCodeGrant,
  type Configuration,
  fetchProtectedResource,
  fetchUserInfo,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import type { Config } from '../../config.js';
import { redirectUriOf } from './begin.js';
import { providerClient } from './client.js';
import { checkIdentity, type Identity } from './identity.js';
import type { Provider } from './provider.js';
import type { Journey } from './state.js';

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/**
 * Exchanges the code of a callback and reads who it is. openid-client checks, in this order: the issuer
 * of the answer (RFC 9207, mix-up), the state, the provider's error; then, with the code spent, the ID
 * token's signature, issuer, audience, expiry and nonce. PKCE is checked by the provider. The tokens are
 * dropped here: nothing of the provider's is kept but the identity.
 * Throws AuthorizationResponseError, or anything else if an answer does not check or does not come.
 */
export async function exchangeCode(
  config: Config,
  name: string,
  provider: Provider,
  query: URLSearchParams,
  journey: Journey,
): Promise<Identity> {
  const client = await providerClient(config, name, provider);
  const currentUrl = new URL(`${redirectUriOf(config, name)}?${query}`);
  const checks = {
    expectedState: query.get('state') ?? '',
    pkceCodeVerifier: journey.verifier,
  };
  if (provider.protocol === 'openid') {
    const expected = { ...checks, expectedNonce: journey.nonce, idTokenExpected: true };
    const tokens = await authorizationCodeGrant(client, currentUrl, expected);
    return checkIdentity(provider.identityOf(await claimsOf(client, tokens)));
  }
  const tokens = await authorizationCodeGrant(client, currentUrl, checks);
  const read = (url: string) => readJson(client, tokens, url);
  return checkIdentity(await provider.identityOf(config, read));
}

/** The ID token's claims, or the user info's where an address is only there; never a mixture of both. */
async function claimsOf(client: Configuration, tokens: Tokens) {
  const claims = tokens.claims();
  if (!claims) throw new Error('The provider sent no ID token.');
  const hasMore = client.serverMetadata().userinfo_endpoint !== undefined;
  if (claims.email !== undefined || !hasMore) return claims;
  return fetchUserInfo(client, tokens.access_token, claims.sub);
}

async function readJson(client: Configuration, tokens: Tokens, url: string): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json' });
  const response = await fetchProtectedResource(
    client,
    tokens.access_token,
    new URL(url),
    'GET',
    undefined,
    headers,
  );
  if (!response.ok) throw new Error(`The provider answered ${response.status}.`);
  return response.json();
}
