import type { Config } from '../../config.js';
import { refuse } from '../../http/errors.js';

const LENGTH = 512;
/** A `/` in front, no `\`, which browsers take for `/`, no control character. */
const RETURN_PATH = /^\/[^\\\p{Cc}]*$/u;

/**
 * Where a sign-in leads in the end: a path of the app, `/` if none is asked for. An open redirect
 * would send people to a page that looks like ours right after they signed in.
 * Throws OAUTH_RETURN_PATH_INVALID.
 */
export function checkReturnPath(path: string | null): string {
  if (path === null) return '/';
  const isSafe = path.length <= LENGTH && RETURN_PATH.test(path) && !path.includes('//');
  if (!isSafe) throw refuse('OAUTH_RETURN_PATH_INVALID');
  return path;
}

/** The page of the app at a path, as a URL that fits into a header. */
export function pageOf(config: Config, path: string): string {
  return new URL(config.APP_URL + path).href;
}
