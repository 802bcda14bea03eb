import type { Config, ConfigCheck } from '../config.js';
import { isLoopback } from './addresses.js';
import { isWeakSecret } from './secrets.js';

/** Rules over several variables. Each names the variable to change. */
export const configChecks: ConfigCheck[] = [
  secretsDiffer,
  secretsAreStrong,
  baseUrlIsSecure,
  sameSiteIsSecure,
  domainIsOurs,
];

/** Settings that work, but are hardly intended. */
export const configWarnings: ConfigCheck[] = [
  originsShareCookies,
  ({ isProduction, CSRF }) =>
    isProduction && CSRF === false
      ? 'CSRF=off: other sites can act for signed-in users'
      : undefined,
  ({ isProduction, RATE_LIMIT }) =>
    isProduction && RATE_LIMIT === false
      ? 'RATE_LIMIT=off: secrets can be guessed without limit'
      : undefined,
];

/** With one secret for both, leaking the key of one kind of token leaks that of the other. */
function secretsDiffer({ ACCESS_TOKEN_SECRET = [], REFRESH_TOKEN_SECRET = [] }: Partial<Config>) {
  const secrets = [...ACCESS_TOKEN_SECRET, ...REFRESH_TOKEN_SECRET];
  if (new Set(secrets).size === secrets.length) return undefined;
  return 'REFRESH_TOKEN_SECRET must have nothing in common with ACCESS_TOKEN_SECRET, nor repeat itself';
}

function secretsAreStrong(config: Partial<Config>) {
  if (!config.isProduction) return undefined;
  const weak = (['ACCESS_TOKEN_SECRET', 'REFRESH_TOKEN_SECRET'] as const).filter((name) =>
    config[name]?.some(isWeakSecret),
  );
  if (weak.length === 0) return undefined;
  return `${weak.join(' and ')} must be random in production (openssl rand -hex 32)`;
}

/** Over plain http, anybody on the network path can read the credentials. */
function baseUrlIsSecure({ BASE_URL: url, isProduction }: Partial<Config>) {
  if (!isProduction || !url?.startsWith('http:') || isLoopback(new URL(url).hostname)) {
    return undefined;
  }
  return 'BASE_URL must be https in production, unless it is on this machine';
}

/** Browsers drop a `SameSite=None` cookie that is not Secure. */
function sameSiteIsSecure(config: Partial<Config>) {
  if (config.COOKIE_SAMESITE !== 'none' || config.secureCookies) return undefined;
  return 'COOKIE_SAMESITE can be none only with an https BASE_URL or in production';
}

/** Browsers drop a cookie for a domain that the host does not belong to (RFC 6265 §5.3 step 6). */
function domainIsOurs({ COOKIE_DOMAIN: domain, BASE_URL: url }: Partial<Config>) {
  if (domain === undefined || url === undefined) return undefined;
  const host = new URL(url).hostname;
  if (host === domain || host.endsWith(`.${domain}`)) return undefined;
  return 'COOKIE_DOMAIN must be the host of BASE_URL or a domain above it';
}

/** Pages on another host cannot read the CSRF cookie unless COOKIE_DOMAIN covers both hosts (RFC 6265 §5.1.3). */
function originsShareCookies(config: Partial<Config>) {
  const { ALLOWED_ORIGINS: origins = [], BASE_URL: url, COOKIE_DOMAIN: domain } = config;
  if (url === undefined) return undefined;
  const own = new URL(url).hostname;
  const remedies = origins.flatMap((origin) => {
    const host = new URL(origin).hostname;
    if (host === own || (domain && `.${host}`.endsWith(`.${domain}`))) return [];
    const parent = commonDomain(own, host);
    const share = parent ? `set COOKIE_DOMAIN=${parent}, or ` : '';
    return `${origin} (${share}let its pages send X-Auth-Strategy: bearer)`;
  });
  if (remedies.length === 0) return undefined;
  return `ALLOWED_ORIGINS has origins that share no cookie with BASE_URL: ${remedies.join(', ')}`;
}

/** The domain above two hosts: `example.com` of `a.example.com` and `b.example.com`. */
function commonDomain(one: string, other: string): string | undefined {
  const labels = one.split('.');
  const parents = labels.map((_, start) => labels.slice(start).join('.'));
  return parents.find(
    (parent) => /\.[a-z][a-z\d-]+$/.test(parent) && `.${other}`.endsWith(`.${parent}`),
  );
}
