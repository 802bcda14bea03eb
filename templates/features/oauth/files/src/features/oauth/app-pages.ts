import type { Result } from '../../http/route.js';

/** The page of the app after a sign-in. */
export function pathAfterSignIn(_reply: Result, returnPath: string): string {
  return returnPath;
}

/** The page of the app after a refused sign-in. */
export function pathAfterFailure(code: string, _fields?: object): string {
  return `/login?error=${code}`;
}
