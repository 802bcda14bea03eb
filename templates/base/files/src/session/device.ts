import { type Cookie, readSessionCookie, sessionCookie } from '../http/cookies.js';
import type { RequestInfo } from '../http/request.js';
import { now } from '../process/clock.js';
import { randomId } from '../process/random.js';
import type { Services } from '../services.js';
import { signToken, verifyToken } from './tokens.js';

/** The type of the token that the cookie `device` holds, one for each account that the browser has signed in to. */
const TYPE = 'device';
const LIFETIME = 90 * 24 * 60 * 60 * 1000;
/** The accounts of one browser; of more, those of the latest sign-ins. Else the cookie would outgrow a header. */
const MOST_ACCOUNTS = 3;
/** No token has it. */
const SEPARATOR = '~';

type Signed = Pick<Services, 'config' | 'keys'>;

/**
 * The id of a browser that has signed in to this account before; undefined without a valid cookie for it. It gives no
 * access: it only has rate limits of its own, as tight as those of strangers, so that what they do to an address does
 * not lock its owner out (OWASP, "device cookies").
 */
export function knownDevice(
  services: Signed,
  request: RequestInfo,
  userId: string,
): string | undefined {
  return devicesOf(services, request).find(({ claims }) => claims.sub === userId)?.claims.jti;
}

/** The cookie of a browser that has just shown who its user is; it keeps its id, and those for other accounts. */
export function deviceCookie(services: Signed, request: RequestInfo, userId: string): Cookie {
  const { config, keys } = services;
  const devices = devicesOf(services, request);
  const known = devices.find(({ claims }) => claims.sub === userId);
  const identity = { sub: userId, typ: TYPE, jti: known?.claims.jti ?? randomId() };
  const token = signToken(config, keys.refresh, identity, now(), now() + LIFETIME);
  const others = devices.filter((device) => device !== known).map((device) => device.token);
  const value = [token, ...others].slice(0, MOST_ACCOUNTS).join(SEPARATOR);
  return sessionCookie(config, 'device', value, LIFETIME / 1000);
}

/**
 * Under which name a request about an account is counted: that of its browser if it has signed in there before, else
 * the name that was given, whether or not there is such an account.
 */
export async function countedAs(
  services: Services,
  request: RequestInfo,
  { email = '', userId }: { email?: string | undefined; userId?: string | undefined },
): Promise<string> {
  const name = userId ?? email;
  if (devicesOf(services, request).length === 0) return name;
  const id = userId ?? (await services.users.findByEmail(email))?.id;
  return (id && knownDevice(services, request, id)) ?? name;
}

function devicesOf({ config, keys }: Signed, request: RequestInfo) {
  const held = readSessionCookie(config, request, 'device');
  const tokens = held?.split(SEPARATOR, MOST_ACCOUNTS) ?? [];
  return tokens.flatMap((token) => {
    const claims = verifyToken(config, keys.refresh, TYPE, token);
    return claims ? [{ token, claims }] : [];
  });
}
