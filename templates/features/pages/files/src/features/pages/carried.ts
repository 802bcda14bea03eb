import { z } from 'zod';
import type { Config } from '../../config.js';
import type { Cookie } from '../../http/cookies.js';
import type { RequestInfo } from '../../http/request.js';

/** Fields for the route of a page. */
export type Carried = Record<string, string>;

const NAME = 'carried';
const LIFETIME_SECONDS = 15 * 60;
const Carried = z.record(z.string(), z.string());

/**
 * Leaves fields for one page: the token of a mailed link, whom a code was sent to. They stay in no address, history or
 * Referer, and scripts cannot read them.
 */
export function carry({ config }: { config: Config }, path: string, fields: Carried): Cookie {
  return pageCookie(NAME, JSON.stringify(fields), LIFETIME_SECONDS, config.AUTH_PREFIX + path);
}

/** The page forgets what was left for it. */
export function forget({ config }: { config: Config }, path: string): Cookie {
  return pageCookie(NAME, '', 0, config.AUTH_PREFIX + path);
}

/** What an earlier page, or a mailed link, has left for this one. */
export function carriedBy({ cookies }: RequestInfo): Carried | undefined {
  try {
    return Carried.parse(JSON.parse(cookies[NAME] ?? ''));
  } catch {
    // The cookie is the browser's: whoever changes it meets a page that nothing was left for.
    return undefined;
  }
}

/** A cookie of the pages' own: no script reads it, and no form of another site sends it. */
export function pageCookie(name: string, value: string, maxAge: number, path = '/'): Cookie {
  return { name, value, maxAge, path, httpOnly: true, sameSite: 'lax' };
}
