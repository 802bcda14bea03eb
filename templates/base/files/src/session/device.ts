import { type Cookie, readSessionCookies, sessionCookie } from '../http/cookies.js';
import type { RequestInfo } from '../http/request.js';
import { now } from '../process/clock.js';
import { randomId } from '../process/random.js';
import type { Services } from '../services.js';
import { signToken, verifyToken } from './tokens.js';

/** The type of the tokens in the cookie `device`, one for each account that the browser has signed in to. */
const TYPE = 'device';
const LIFETIME = 90 * 24 * 60 * 60 * 1000;
/** How many accounts one browser keeps, those of the latest sign-ins: with more, the cookie would outgrow a header. */
const MOST_ACCOUNTS = 3;
/** A character that no token contains. */
const SEPARATOR = '~';

/**
 * The group of known browsers that this one is in, by the first digit of its id, if it has signed in to the account
 * before; undefined without a valid cookie for it. It grants no access: each of the 16 groups only has rate limits of its
 * own, as tight as those of strangers, so that they do not lock the owner out (OWASP, "device cookies"). Limits for each
 * browser would add up: whoever could once sign in may have collected any number of cookies.
 */
export function knownDevice(
  services: Services,
  request: RequestInfo,
  userId: string,
): string | undefined {
  const known = devicesOf(services, request).find(({ claims }) => claims.sub === userId);
  return known && `${userId}:${known.claims.jti.slice(0, 1)}`;
}

/** The cookie for a browser whose user was just authenticated: it keeps its group, and the tokens of other accounts. */
export function deviceCookie(services: Services, request: RequestInfo, userId: string): Cookie {
  const { config, keys } = services;
  const held = devicesOf(services, request);
  const { jti = randomId() } = held.find(({ claims }) => claims.sub === userId)?.claims ?? {};
  const identity = { sub: userId, typ: TYPE, jti };
  const token = signToken(config, keys.refresh, identity, now(), now() + LIFETIME);
  const others = held.filter(({ claims }) => claims.sub !== userId);
  const tokens = [token, ...others.map((other) => other.token)].slice(0, MOST_ACCOUNTS);
  return sessionCookie(config, 'device', tokens.join(SEPARATOR), LIFETIME / 1000);
}

interface Named {
  email?: string | undefined;
  userId?: string | undefined;
}

/**
 * The name that a guess at an account is counted under: its group of known browsers if the browser has signed
 * in to the account before, else the name that was given, whether or not there is such an account.
 */
export async function guessKeyOf(services: Services, request: RequestInfo, who: Named) {
  return (await knownAs(services, request, who))?.device ?? nameOf(who);
}

/**
 * The same with one name for all known browsers of an account, for mails, texts and second steps: signing in often must
 * not give more of them.
 */
export async function accountKeyOf(services: Services, request: RequestInfo, who: Named) {
  const known = await knownAs(services, request, who);
  return known ? `known:${known.userId}` : nameOf(who);
}

/** Prefixed, since the text typed as an address could be another key, such as that of a notice. */
export const nameOf = ({ email, userId = `typed:${email}` }: Named) => userId;

async function knownAs(services: Services, request: RequestInfo, { email = '', userId }: Named) {
  if (devicesOf(services, request).length === 0) return undefined;
  const id = userId ?? (await services.users.findByEmail(email))?.id ?? '';
  const device = knownDevice(services, request, id);
  return device === undefined ? undefined : { device, userId: id };
}

function devicesOf({ config, keys }: Services, request: RequestInfo) {
  const held = readSessionCookies(config, request, 'device');
  const tokens = held.flatMap((value) => value.split(SEPARATOR, MOST_ACCOUNTS));
  return tokens.flatMap((token) => {
    const claims = verifyToken(config, keys.refresh, TYPE, token);
    return claims ? [{ token, claims }] : [];
  });
}
