import {
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchProtectedResource,
  fetchUserInfo,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import type { Config } from '../../config.js';
import { refuse } from '../../http/errors.js';
import { now } from '../../process/clock.js';
import { checkIdentity, type Identity, type OpenIdProvider, type Provider } from './provider.js';
import { providers } from './providers.js';
import type { Journey } from './state.js';

/** A provider that does not answer must not hold requests open. */
const TIMEOUT_SECONDS = 5;
/** Providers rarely move endpoints; new signing keys are fetched independently of this. */
const DISCOVERY_MS = 60 * 60 * 1000;

type Found = { client: Promise<Configuration>; foundAt: number };

/** By configuration, because one process may run several services, as tests do. */
const found = new WeakMap<Config, Map<string, Found>>();

/** A provider that is chosen and configured. Throws OAUTH_NOT_CONFIGURED. */
export function requireProvider(config: Config, name: string): Provider {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (!provider || !isConfigured(config, provider)) throw refuse('OAUTH_NOT_CONFIGURED');
  return provider;
}

/** True if the variables say what the provider needs. */
export function isConfigured(config: Config, provider: Provider): boolean {
  const { clientId, clientSecret } = provider.client(config);
  const hasIssuer = provider.protocol === 'oauth' || provider.issuer(config) !== undefined;
  return Boolean(clientId && clientSecret && hasIssuer);
}

/** The callback URL: from BASE_URL, never from the Host header. */
export function redirectUriOf(config: Config, name: string): string {
  return `${config.BASE_URL}${config.AUTH_PREFIX}/oauth/${name}/callback`;
}

/** This service as a client of the provider. Throws what openid-client does if discovery fails. */
export async function providerClient(
  config: Config,
  name: string,
  provider: Provider,
): Promise<Configuration> {
  if (provider.protocol === 'openid') return discoverOnce(config, name, provider);
  const { clientId = '', clientSecret = '' } = provider.client(config);
  const server = provider.server(config);
  const client = new Configuration(server, clientId, undefined, ClientSecretPost(clientSecret));
  client.timeout = TIMEOUT_SECONDS;
  if (isPlainHttp(config, server.issuer)) allowInsecureRequests(client);
  return client;
}

/** Discovers once an hour. Parallel callers share a discovery; a failed one is tried again. */
function discoverOnce(
  config: Config,
  name: string,
  provider: OpenIdProvider,
): Promise<Configuration> {
  const byName = found.get(config) ?? new Map<string, Found>();
  found.set(config, byName);
  const known = byName.get(name);
  if (known && now() - known.foundAt < DISCOVERY_MS) return known.client;
  const client = discover(config, provider);
  byName.set(name, { client, foundAt: now() });
  client.catch(() => byName.delete(name));
  return client;
}

function discover(config: Config, provider: OpenIdProvider): Promise<Configuration> {
  const { clientId = '', clientSecret = '' } = provider.client(config);
  const issuer = provider.issuer(config) ?? '';
  return discovery(
    new URL(issuer),
    clientId,
    undefined,
    (server, client, body, headers) => {
      // Basic is the default of servers that do not list their methods (OpenID Connect Discovery §3).
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const isBasic = methods.includes('client_secret_basic');
      const authenticate = isBasic ? ClientSecretBasic : ClientSecretPost;
      authenticate(clientSecret)(server, client, body, headers);
    },
    {
      timeout: TIMEOUT_SECONDS,
      execute: [
        // Checks the ID token's signature. By default TLS replaces it (OpenID Connect Core §3.1.3.7), but a
        // proxy may terminate TLS.
        enableNonRepudiationChecks,
        ...(isPlainHttp(config, issuer) ? [allowInsecureRequests] : []),
      ],
    },
  );
}

/** `providerUrl` allows plain http on localhost only, and `configCheck` never in production. */
function isPlainHttp(config: Config, url: string): boolean {
  return !config.isProduction && url.startsWith('http:');
}

/**
 * Exchanges the code of a callback and reads who signed in. openid-client checks, in this order: the
 * issuer of the answer (RFC 9207, mix-up attack), the state, the provider's error; then, after the
 * exchange, the ID token's signature, issuer, audience, expiry and nonce. The provider checks PKCE. Its
 * tokens are not kept. Throws AuthorizationResponseError if the provider refused, else openid-client's error.
 */
export async function exchangeCode(
  config: Config,
  name: string,
  provider: Provider,
  query: URLSearchParams,
  { verifier, nonce }: Journey,
): Promise<Identity> {
  const client = await providerClient(config, name, provider);
  const url = new URL(`${redirectUriOf(config, name)}?${query}`);
  const checks = { expectedState: query.get('state') ?? '', pkceCodeVerifier: verifier };
  if (provider.protocol === 'openid') {
    const openIdChecks = { ...checks, expectedNonce: nonce, idTokenExpected: true };
    const claims = await claimsOf(client, await authorizationCodeGrant(client, url, openIdChecks));
    return checkIdentity(name, provider.identityOf(claims));
  }
  const { access_token: accessToken } = await authorizationCodeGrant(client, url, checks);
  const read = (from: string) => readJson(client, accessToken, from);
  return checkIdentity(name, await provider.identityOf(config, read));
}

/** The claims of the ID token, or of the user info if only that has an address; never a mixture. */
async function claimsOf(
  client: Configuration,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
) {
  const claims = tokens.claims();
  if (!claims) throw new Error('The provider sent no ID token.');
  const hasUserInfo = client.serverMetadata().userinfo_endpoint !== undefined;
  if (claims.email !== undefined || !hasUserInfo) return claims;
  return fetchUserInfo(client, tokens.access_token, claims.sub);
}

async function readJson(client: Configuration, accessToken: string, from: string) {
  const headers = new Headers({ accept: 'application/json' });
  const url = new URL(from);
  const response = await fetchProtectedResource(client, accessToken, url, 'GET', null, headers);
  if (!response.ok) throw new Error(`The provider answered ${response.status}.`);
  return response.json();
}
