import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import { now } from '../../clock.js';
import type { Config } from '../../config.js';
import { refuse } from '../../http/errors.js';
import type { OpenIdProvider, Provider } from './provider.js';
import { providers } from './providers.js';

/** A provider that does not answer must not hold up its callers, or us. */
const TIMEOUT_SECONDS = 5;
/** Providers move endpoints rarely; keys that are new are fetched when they turn up. */
const DISCOVERY_MS = 60 * 60 * 1000;

interface Found {
  client: Promise<Configuration>;
  foundAt: number;
}

/** By configuration, since one process may run several services, as tests do. */
const found = new WeakMap<Config, Map<string, Found>>();

/** A provider that is chosen and configured. Throws OAUTH_NOT_CONFIGURED. */
export function requireProvider(config: Config, name: string): Provider {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (!provider) throw refuse('OAUTH_NOT_CONFIGURED');
  const { clientId, clientSecret } = provider.client(config);
  const hasIssuer = provider.protocol === 'oauth' || provider.issuer(config) !== undefined;
  if (!clientId || !clientSecret || !hasIssuer) throw refuse('OAUTH_NOT_CONFIGURED');
  return provider;
}

/** This service as a client of the provider. Throws what openid-client does if discovery fails. */
export async function providerClient(
  config: Config,
  name: string,
  provider: Provider,
): Promise<Configuration> {
  if (provider.protocol === 'openid') return discoveredClient(config, name, provider);
  const { clientId = '', clientSecret = '' } = provider.client(config);
  const server = provider.server(config);
  const client = new Configuration(server, clientId, undefined, ClientSecretPost(clientSecret));
  client.timeout = TIMEOUT_SECONDS;
  if (isPlainHttp(config, server.issuer)) allowInsecureRequests(client);
  return client;
}

/** Discovered once an hour; parallel callers share one discovery, a failed one is tried again. */
async function discoveredClient(
  config: Config,
  name: string,
  provider: OpenIdProvider,
): Promise<Configuration> {
  const ofConfig = found.get(config) ?? new Map<string, Found>();
  found.set(config, ofConfig);
  const known = ofConfig.get(name);
  if (known && now() - known.foundAt < DISCOVERY_MS) return known.client;
  const client = discover(config, provider);
  ofConfig.set(name, { client, foundAt: now() });
  try {
    return await client;
  } catch (error) {
    ofConfig.delete(name);
    throw error;
  }
}

async function discover(config: Config, provider: OpenIdProvider): Promise<Configuration> {
  const { clientId = '', clientSecret = '' } = provider.client(config);
  const issuer = provider.issuer(config) ?? '';
  return discovery(
    new URL(issuer),
    clientId,
    undefined,
    (server, client, body, headers) => {
      // RFC 6749 §2.3.1: every server takes Basic, unless it says otherwise (OpenID Connect Discovery §3).
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const authenticate = methods.includes('client_secret_basic')
        ? ClientSecretBasic
        : ClientSecretPost;
      authenticate(clientSecret)(server, client, body, headers);
    },
    {
      timeout: TIMEOUT_SECONDS,
      execute: [
        // OpenID Connect Core §3.1.3.7 lets TLS stand in for the ID token's signature; a proxy may end it on the way.
        enableNonRepudiationChecks,
        ...(isPlainHttp(config, issuer) ? [allowInsecureRequests] : []),
      ],
    },
  );
}

/** Only on this machine, which `providerUrl` sees to, and never in production. */
function isPlainHttp(config: Config, url: string): boolean {
  return !config.isProduction && url.startsWith('http:');
}
