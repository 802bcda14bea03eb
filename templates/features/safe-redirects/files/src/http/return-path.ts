/** At most 512 characters, from `/` on; no control character, no `//`, and no `\`, which browsers treat as `/`. */
const RETURN_PATH = /^(?!.*\/\/)\/[^\\\p{Cc}]{0,511}$/su;

/** True for a path that is safe to redirect to: an open redirect could send people to a look-alike page right after they signed in. */
export function isReturnPath(path: string | null): path is string {
  return path !== null && RETURN_PATH.test(path);
}
