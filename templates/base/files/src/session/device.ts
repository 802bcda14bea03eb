import { type Cookie, readSessionCookie, sessionCookie } from '../http/cookies.js';
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
/** Occurs in no token. */
const SEPARATOR = '~';

type Signed = Pick<Services, 'config' | 'keys'>;

/** True for a browser that has signed in to this account before. It grants no access. */
export function isKnownDevice(services: Signed, request: RequestInfo, userId: string): boolean {
  return devicesOf(services, request).some(({ claims }) => claims.sub === userId);
}

/**
 * The name that requests of all known browsers of an account are counted under: limits of their own, as tight as
 * those of strangers, whose attempts so do not lock the owner out (OWASP, "device cookies"). All together, since
 * whoever can sign in can make any number of such browsers.
 */
export const ofKnownDevices = (userId: string) => `known:${userId}`;

/** The cookie for a browser whose user was just authenticated; it keeps the tokens of other accounts. */
export function deviceCookie(services: Signed, request: RequestInfo, userId: string): Cookie {
  const { config, keys } = services;
  const identity = { sub: userId, typ: TYPE, jti: randomId() };
  const token = signToken(config, keys.refresh, identity, now(), now() + LIFETIME);
  const others = devicesOf(services, request).filter(({ claims }) => claims.sub !== userId);
  const tokens = [token, ...others.map((other) => other.token)].slice(0, MOST_ACCOUNTS);
  return sessionCookie(config, 'device', tokens.join(SEPARATOR), LIFETIME / 1000);
}

/**
 * The name that a request about an account is counted under: that of its known browsers for one of them,
 * else the name that was given, whether or not there is such an account.
 */
export async function rateLimitKeyOf(
  services: Services,
  request: RequestInfo,
  { email = '', userId }: { email?: string | undefined; userId?: string | undefined },
): Promise<string> {
  const name = userId ?? email;
  if (devicesOf(services, request).length === 0) return name;
  const id = userId ?? (await services.users.findByEmail(email))?.id;
  return id && isKnownDevice(services, request, id) ? ofKnownDevices(id) : name;
}

function devicesOf({ config, keys }: Signed, request: RequestInfo) {
  const held = readSessionCookie(config, request, 'device');
  const tokens = held?.split(SEPARATOR, MOST_ACCOUNTS) ?? [];
  return tokens.flatMap((token) => {
    const claims = verifyToken(config, keys.refresh, TYPE, token);
    return claims ? [{ token, claims }] : [];
  });
}
