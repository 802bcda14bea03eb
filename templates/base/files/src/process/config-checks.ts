import type { Config } from '../config.js';
import { isLoopback } from './addresses.js';

/** Rules over several variables, if they could be read. Each problem begins with the variable to change. */
export function* problemsBetween(config: Partial<Config>): Generator<string> {
  const { BASE_URL: url, COOKIE_DOMAIN: domain, COOKIE_SAMESITE, isProduction } = config;
  const { hostname = '', protocol } = url === undefined ? {} : new URL(url);
  // Over plain http, anybody on the network path can read the credentials.
  if (isProduction && protocol === 'http:' && !isLoopback(hostname)) {
    yield 'BASE_URL must be https in production, unless it is on this machine';
  }
  // Browsers drop a `SameSite=None` cookie that is not Secure.
  if (COOKIE_SAMESITE === 'none' && !config.secureCookies) {
    yield 'COOKIE_SAMESITE can be none only with an https BASE_URL or in production';
  }
  // Browsers drop a cookie for a domain that the host does not belong to (RFC 6265 §5.3 step 6).
  if (domain && url && !`.${hostname}`.endsWith(`.${domain}`)) {
    yield 'COOKIE_DOMAIN must be the host of BASE_URL or a domain above it';
  }
}

/** 32 random hex digits have fewer than 8 different ones once in ten million times. */
const LEAST_DIFFERENT_CHARACTERS = 8;
/** Words of the examples that get copied. A random secret of hex digits or base64 has none of them. */
const EXAMPLE_WORDS =
  /change|example|secret|password|placeholder|replace|your[-_]|default|qwert|01234567|abcdefg/i;

export function* problemsOfSecrets(
  lists: [name: string, secrets: string[]][],
  isProduction: boolean | undefined,
): Generator<string> {
  const others = new Set<string>();
  for (const [name, secrets] of lists) {
    // With one secret for two purposes, leaking it for one leaks it for the other.
    if (new Set(secrets).size < secrets.length || secrets.some((secret) => others.has(secret))) {
      yield `${name} must differ from all other secrets and list none of its own twice`;
    }
    if (isProduction && secrets.some(isWeakSecret)) {
      yield `${name} must be random in production (openssl rand -hex 32)`;
    }
    for (const secret of secrets) others.add(secret);
  }
}

/** True for a secret that could be guessed: few different characters, a repetition, an example. */
function isWeakSecret(secret: string): boolean {
  return (
    new Set(secret).size < LEAST_DIFFERENT_CHARACTERS ||
    // Only a repetition occurs in its own double at a shifted position.
    (secret + secret).indexOf(secret, 1) < secret.length ||
    EXAMPLE_WORDS.test(secret)
  );
}

/** Settings that work, but are rarely intended. */
export function* warningsAbout(config: Config): Generator<string> {
  yield* originsShareCookies(config);
  if (!config.isProduction) return;
  const { hostname, protocol } = new URL(config.APP_URL);
  if (protocol === 'http:' && !isLoopback(hostname)) {
    yield 'APP_URL is not https: what mails link to can be read, and changed, on its way';
  }
  if (!config.CSRF) yield 'CSRF=off: other sites can act for signed-in users';
  if (!config.RATE_LIMIT) yield 'RATE_LIMIT=off: only guesses at codes, and costs, are limited';
}

/** Pages on another host cannot read the CSRF cookie unless COOKIE_DOMAIN covers both hosts (RFC 6265 §5.1.3). */
function* originsShareCookies(config: Config): Generator<string> {
  const { ALLOWED_ORIGINS: origins, BASE_URL: url, COOKIE_DOMAIN: domain } = config;
  const own = new URL(url).hostname;
  const apart = origins.filter((origin) => {
    const host = new URL(origin).hostname;
    return host !== own && !(domain && `.${host}`.endsWith(`.${domain}`));
  });
  if (apart.length === 0) return;
  yield `ALLOWED_ORIGINS has origins that share no cookie with BASE_URL (${apart.join(', ')}): set COOKIE_DOMAIN to a domain above both hosts, or let their pages send X-Auth-Strategy: bearer`;
}
