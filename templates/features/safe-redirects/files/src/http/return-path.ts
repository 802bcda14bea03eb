const RETURN_PATH_LENGTH = 512;
/** Begins with `/`; without control characters, and without `\`, which browsers treat as `/`. */
const RETURN_PATH = /^\/[^\\\p{Cc}]*$/u;

/** True for a path that is safe to redirect to: an open redirect could send people to a look-alike page right after they signed in. */
export function isReturnPath(path: string | null): path is string {
  if (path === null || path.length > RETURN_PATH_LENGTH) return false;
  return RETURN_PATH.test(path) && !path.includes('//');
}
