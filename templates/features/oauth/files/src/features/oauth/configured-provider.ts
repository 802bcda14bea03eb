import type * as z from 'zod';
import type { Config, ConfigCheck } from '../../config.js';
import { refuse } from '../../http/errors.js';
import { isLoopback } from '../../process/addresses.js';
import { onOff, secret, text, variable } from '../../process/environment.js';
import type { Provider } from './provider.js';
import { providers } from './providers.js';

type ProviderVariables = Record<
  `OAUTH_${string}_${'CLIENT_ID' | 'CLIENT_SECRET' | 'ISSUER' | 'URL'}`,
  z.ZodType<string | undefined>
> &
  Record<`OAUTH_${string}_LINK_BY_EMAIL`, z.ZodType<boolean | undefined>>;

function variableOf<Setting extends string>(name: string, setting: Setting) {
  return `OAUTH_${name.toUpperCase()}_${setting}` as const;
}

function urlVariableOf(name: string, { protocol }: Provider) {
  return variableOf(name, protocol === 'openid' ? 'ISSUER' : 'URL');
}

/** A provider's URL: https, or http on localhost. Kept as written, because issuers are compared as text. */
function providerUrl() {
  return variable('an https URL without query (http only on this machine)', (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || url.search || url.hash || url.href.includes('@')) return undefined;
    if (url.protocol === 'https:') return text;
    return url.protocol === 'http:' && isLoopback(url.hostname) ? text : undefined;
  });
}

/** `OAUTH_<NAME>_CLIENT_ID`, `_CLIENT_SECRET`, `_LINK_BY_EMAIL`, and `_ISSUER` or `_URL`, for each provider. */
export const providerVariables: ProviderVariables = {};
for (const [name, provider] of Object.entries(providers)) {
  const { linksByEmail, makeSecret, url } = provider;
  const variables = providerVariables;
  variables[variableOf(name, 'CLIENT_ID')] = text().optional();
  if (!makeSecret) variables[variableOf(name, 'CLIENT_SECRET')] = secret(text().optional());
  variables[urlVariableOf(name, provider)] = url
    ? providerUrl().prefault(url)
    : providerUrl().optional();
  if (linksByEmail === undefined) continue;
  variables[variableOf(name, 'LINK_BY_EMAIL')] = onOff().prefault(linksByEmail ? 'on' : 'off');
}

/** Over plain http anybody on the network path could sign in as anybody. */
export const requireHttps: ConfigCheck = (config) => {
  if (!config.isProduction) return undefined;
  const plain = Object.entries(providers)
    .map(([name, provider]) => urlVariableOf(name, provider))
    .filter((name) => config[name]?.startsWith('http:'));
  return plain.length === 0 ? undefined : `${plain.join(' and ')} must be https in production`;
};

/** A provider, and what the variables say about it. */
export type ConfiguredProvider = Provider &
  Record<'name' | 'clientId' | 'clientSecret' | 'url' | 'redirectUri', string> & {
    linksByEmail: boolean;
  };

/** The provider of that name; undefined if it was not chosen, or its variables are incomplete. */
export function configuredProvider(config: Config, name: string): ConfiguredProvider | undefined {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (!provider) return undefined;
  const clientId = config[variableOf(name, 'CLIENT_ID')];
  const configuredUrl = config[urlVariableOf(name, provider)];
  const url = provider.protocol === 'oauth' ? configuredUrl?.replace(/\/+$/, '') : configuredUrl;
  if (!clientId || !url) return undefined;
  const clientSecret = provider.makeSecret
    ? provider.makeSecret(config, clientId)
    : config[variableOf(name, 'CLIENT_SECRET')];
  if (!clientSecret) return undefined;
  const linksByEmail = config[variableOf(name, 'LINK_BY_EMAIL')] ?? false;
  // From BASE_URL, never from the Host header.
  const redirectUri = `${config.BASE_URL}${config.AUTH_PREFIX}/oauth/${name}/callback`;
  return { ...provider, name, clientId, clientSecret, url, redirectUri, linksByEmail };
}

/** Throws OAUTH_NOT_CONFIGURED. */
export function requireProvider(config: Config, name: string = ''): ConfiguredProvider {
  const provider = configuredProvider(config, name);
  if (!provider) throw refuse('OAUTH_NOT_CONFIGURED');
  return provider;
}

/** False for a provider that was switched off: its accounts no longer sign anybody in. */
export function isInUse(config: Config, name: string): boolean {
  return !Object.hasOwn(providers, name) || configuredProvider(config, name) !== undefined;
}
