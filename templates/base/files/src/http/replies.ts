import { z } from 'zod';
import type { Result } from './route.js';

/** The answer of a route that has nothing to tell. */
export const Success = z.object({ success: z.literal(true) });

/** Cookie mode: success alone. Bearer mode: the tokens besides. */
export const Issued = Success.extend({
  accessToken: z.string().optional(),
  refreshToken: z.string().optional(),
});

/** Sends a browser elsewhere: always to a URL that is made from the configuration. */
export function redirect(url: string): Result {
  return { status: 302, headers: { location: url } };
}

const RETURN_PATH_LENGTH = 512;
/** Begins with `/`; without control characters, and without `\`, which browsers treat as `/`. */
const RETURN_PATH = /^\/[^\\\p{Cc}]*$/u;

/** True for a path that is safe to redirect to: an open redirect could send people to a look-alike page right after they signed in. */
export function isReturnPath(path: string | null): path is string {
  if (path === null || path.length > RETURN_PATH_LENGTH) return false;
  return RETURN_PATH.test(path) && !path.includes('//');
}
