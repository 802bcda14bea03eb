import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import { now } from '../../process/clock.js';
import { randomId } from '../../process/random.js';
import { seal, unseal } from '../../process/seal.js';
import type { Services } from '../../services.js';
import { signToken, verifyToken } from '../../session/tokens.js';
import { browserHashOf } from '../account-linking/browser.js';

const TYPE = 'oauth-state';
/** How long a person may take to sign in at the provider. */
const LIFETIME = 10 * 60 * 1000;

/** What the callback needs: PKCE verifier, nonce, and the page to redirect to. */
export interface Journey {
  verifier: string;
  nonce: string;
  returnPath: string;
}

const RETURN_PATH_LENGTH = 512;
/** Begins with `/`; without control characters, and without `\`, which browsers treat as `/`. */
const RETURN_PATH = /^\/[^\\\p{Cc}]*$/u;

/**
 * The path of the app to redirect to after the sign-in, `/` by default. An open redirect could send people
 * to a look-alike page right after they signed in.
 * Throws OAUTH_RETURN_PATH_INVALID.
 */
export function checkReturnPath(path: string | null): string {
  if (path === null) return '/';
  const isSafe =
    path.length <= RETURN_PATH_LENGTH && RETURN_PATH.test(path) && !path.includes('//');
  if (!isSafe) throw refuse('OAUTH_RETURN_PATH_INVALID');
  return path;
}

/**
 * Begins a sign-in at a provider and returns its state: signed, bound to the browser by a cookie and to the
 * provider, valid once and for ten minutes (RFC 9700 §2.1, §4.7).
 */
export async function openState(
  { config, keys, oauth }: Services,
  provider: string,
  browserHash: string,
  journey: Journey,
): Promise<string> {
  const id = randomId();
  const issuedAt = now();
  const expiresAt = issuedAt + LIFETIME;
  const sealed = seal(keys.sealing, contextOf(id), JSON.stringify(journey));
  await oauth.open(id, browserHash, sealed, expiresAt);
  const claims = { sub: provider, typ: TYPE, jti: id };
  return signToken(config, keys.access, claims, issuedAt, expiresAt);
}

/**
 * Consumes the state of a request. The state of another browser is refused, so that nobody can sign this
 * browser in to their own account (login CSRF), and stays valid for that browser.
 * Throws INVALID_OAUTH_STATE.
 */
export async function consumeState(
  { config, keys, oauth }: Services,
  request: RequestInfo,
  provider: string,
  state: string,
): Promise<Journey> {
  const claims = verifyToken(config, keys.access, TYPE, state);
  const browserHash = browserHashOf(config, request);
  if (!claims || claims.sub !== provider || !browserHash) throw refuse('INVALID_OAUTH_STATE');
  const sealed = await oauth.consume(claims.jti, browserHash);
  const journey = sealed && unseal(keys.sealing, contextOf(claims.jti), sealed);
  if (!journey) throw refuse('INVALID_OAUTH_STATE');
  return JSON.parse(journey);
}

function contextOf(id: string): string {
  return `oauth-state:${id}`;
}
