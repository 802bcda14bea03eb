import type { Config } from '../../config.js';
import { isReturnPath } from '../../http/replies.js';
import type { Visit } from './visit.js';

/** True unless APP_URL names a front end of one's own. */
export function isFrontEnd({ APP_URL, BASE_URL, AUTH_PREFIX }: Config): boolean {
  return APP_URL === `${BASE_URL}${AUTH_PREFIX}/ui`;
}

/** The path of another page, of `/ui/login` for instance, with where to go on after it. */
export function pathTo(
  { services, query }: Visit,
  path: string,
  more: Record<string, string> = {},
): string {
  const returnTo = query.get('return_to');
  const search = new URLSearchParams(more);
  if (isReturnPath(returnTo)) search.set('return_to', returnTo);
  return services.config.AUTH_PREFIX + path + (search.size > 0 ? `?${search}` : '');
}

/** Where somebody goes who has signed in: to where they came from, else to their account. */
export function destinationOf({ services, query }: Visit): string {
  const returnTo = query.get('return_to');
  return isReturnPath(returnTo) ? returnTo : `${services.config.AUTH_PREFIX}/ui/account`;
}

/** Through the renewal of the session where its cookie is not sent, and the sign-in if there is none. */
export function loginPath(
  { services, request, query }: Visit,
  more: Record<string, string> = {},
): string {
  const { AUTH_PREFIX } = services.config;
  const search = query.size > 0 ? `?${query}` : '';
  const isBelow = request.path.startsWith(`${AUTH_PREFIX}/`);
  const asked = new URLSearchParams({ return_to: request.path + search, ...more });
  return `${AUTH_PREFIX}/ui/${isBelow || 'again' in more ? 'login' : ''}?${asked}`;
}
