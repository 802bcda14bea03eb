import * as openid from 'openid-client';
import type { Config } from '../../config.js';
import { now } from '../../process/clock.js';
import { isPublicHost } from '../../process/public-addresses.js';
import type { ConfiguredProvider } from './configured-provider.js';
import { checkIdentity, type Identity, identityOfClaims } from './provider.js';
import type { PendingSignIn } from './state.js';

/** A provider that does not answer must not hold requests open. */
const TIMEOUT_SECONDS = 5;
/** Providers rarely move endpoints; new signing keys are fetched independently of this. */
const LIFETIME_MS = 60 * 60 * 1000;

type Known = { client: Promise<openid.Configuration>; madeAt: number };
type Clients = Record<string, Known | undefined>;

/** By provider, for each service of the process: tests start several, with providers that reuse a port. */
const clientsOf = new WeakMap<Config, Clients>();

/**
 * This service as a client of the provider, kept for an hour. Parallel callers share a discovery; a
 * failed one is retried by the next caller. Throws what openid-client throws.
 */
export function providerClient(
  config: Config,
  provider: ConfiguredProvider,
): Promise<openid.Configuration> {
  const clients = clientsOf.get(config) ?? {};
  clientsOf.set(config, clients);
  const known = clients[provider.name];
  if (known && now() - known.madeAt < LIFETIME_MS) return known.client;
  const client = makeClient(provider);
  clients[provider.name] = { client, madeAt: now() };
  client.catch(() => delete clients[provider.name]);
  return client;
}

async function makeClient(provider: ConfiguredProvider): Promise<openid.Configuration> {
  const { clientId, clientSecret, url } = provider;
  // `providerUrl` allows plain http on localhost only, and `requireHttps` never in production.
  const insecure = url.startsWith('http:') ? [openid.allowInsecureRequests] : [];
  if (provider.protocol === 'oauth') {
    const server = provider.server(url);
    const authenticate = openid.ClientSecretPost(clientSecret);
    const client = new openid.Configuration(server, clientId, undefined, authenticate);
    client.timeout = TIMEOUT_SECONDS;
    for (const allow of insecure) allow(client);
    return client;
  }
  // Checks the ID token's signature. By default TLS replaces it (OpenID Connect Core §3.1.3.7), but a proxy may
  // terminate TLS.
  const execute = [openid.enableNonRepudiationChecks, ...insecure];
  const issuer = new URL(url);
  const options = { timeout: TIMEOUT_SECONDS, execute, [openid.customFetch]: issuerFetch(issuer) };
  return openid.discovery(issuer, clientId, undefined, authenticationBy(clientSecret), options);
}

/** Basic is the default of servers that do not list their methods (OpenID Connect Discovery §3). */
function authenticationBy(clientSecret: string): openid.ClientAuth {
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isBasic = methods.includes('client_secret_basic');
    const authenticate = isBasic ? openid.ClientSecretBasic : openid.ClientSecretPost;
    authenticate(clientSecret)(server, ...request);
  };
}

/**
 * Sends the requests to an issuer and to the endpoints that it names. An issuer on the internet, even if it
 * is taken over, must not lead into this service's private network (SSRF); one inside a private network, such
 * as a company's, may name its neighbours. Redirects are not followed: openid-client sets that in `options`.
 */
function issuerFetch(issuer: URL): openid.CustomFetch {
  return async (address, options) => {
    const url = new URL(address);
    const isOwnHost = url.hostname === issuer.hostname;
    if (!isOwnHost && !(await isPublicHost(url)) && (await isPublicHost(issuer))) {
      throw new Error(`${issuer.host} names ${url.host}, which is in a private network.`);
    }
    return fetch(address, options);
  };
}

/**
 * Exchanges the code of a callback and reads who signed in. openid-client checks, in this order: the
 * issuer of the response (RFC 9207, mix-up attack), the state, the provider's error; then, after the
 * exchange, the ID token's signature, issuer, audience, expiry and nonce. The provider checks PKCE. Its
 * tokens are not kept. Throws AuthorizationResponseError if the provider refused, else openid-client's error.
 */
export async function exchangeCode(
  config: Config,
  provider: ConfiguredProvider,
  query: URLSearchParams,
  { id, verifier }: PendingSignIn,
): Promise<Identity> {
  const client = await providerClient(config, provider);
  const url = new URL(`${provider.redirectUri}?${query}`);
  const checks = { expectedState: query.get('state') ?? '', pkceCodeVerifier: verifier };
  if (provider.protocol === 'oauth') {
    const { access_token: accessToken } = await openid.authorizationCodeGrant(client, url, checks);
    const read = (from: string) => readJson(client, accessToken, from);
    return checkIdentity(provider, await provider.identityOf(provider.url, read));
  }
  const openIdChecks = { ...checks, expectedNonce: id, idTokenExpected: true };
  const tokens = await openid.authorizationCodeGrant(client, url, openIdChecks);
  let claims: Record<string, unknown> = tokens.claims() ?? {};
  const hasUserInfo = client.serverMetadata().userinfo_endpoint !== undefined;
  if (claims.email === undefined && hasUserInfo) {
    // `email_verified` comes from there too, because it must describe that address.
    const userInfo = await openid.fetchUserInfo(client, tokens.access_token, String(claims.sub));
    claims = { ...claims, email_verified: undefined, ...userInfo };
  }
  return checkIdentity(provider, (provider.identityOf ?? identityOfClaims)(claims, query));
}

async function readJson(client: openid.Configuration, token: string, from: string) {
  const headers = new Headers({ accept: 'application/json' });
  const url = new URL(from);
  const response = await openid.fetchProtectedResource(client, token, url, 'GET', null, headers);
  if (!response.ok) throw new Error(`The provider answered ${response.status}.`);
  return response.json();
}
