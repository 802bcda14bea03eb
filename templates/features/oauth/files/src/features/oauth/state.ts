import { z } from 'zod';
import { now } from '../../clock.js';
import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import { randomId } from '../../random.js';
import type { Services } from '../../services.js';
import { seal, unseal } from '../../session/seal.js';
import { signToken, verifyToken } from '../../session/tokens.js';
import { browserHashOf } from '../account-linking/browser.js';

const TYPE = 'oauth-state';
/** As long as somebody may take to sign in at the provider. */
const LIFETIME = 10 * 60 * 1000;

const Journey = z.object({ verifier: z.string(), nonce: z.string(), returnPath: z.string() });

/** What a sign-in needs on its way back. */
export type Journey = z.infer<typeof Journey>;

/**
 * Opens a sign-in at a provider; returns its state. The state is signed, bound to the browser by a
 * cookie, for one provider, for ten minutes, and good for one use (RFC 9700 §2.1, §4.7).
 */
export async function openState(
  services: Services,
  provider: string,
  browserHash: string,
  journey: Journey,
): Promise<string> {
  const { config, keys, oauth } = services;
  const id = randomId();
  const issuedAt = now();
  const expiresAt = issuedAt + LIFETIME;
  const sealed = seal(keys.sealing, contextOf(id), JSON.stringify(journey));
  await oauth.open(id, browserHash, sealed, expiresAt);
  const claims = { sub: provider, typ: TYPE, jti: id };
  return signToken(config, keys.access, claims, issuedAt, expiresAt);
}

/**
 * Uses up the state of a request. One that another browser began is refused and stays good for that one:
 * else a stranger's sign-in could be finished in this browser, or this one's be spoiled.
 * Throws INVALID_OAUTH_STATE.
 */
export async function consumeState(
  services: Services,
  request: RequestFacts,
  provider: string,
  state: string,
): Promise<Journey> {
  const { config, keys, oauth } = services;
  const claims = verifyToken(config, keys.access, TYPE, state);
  const browserHash = browserHashOf(config, request);
  if (!claims || claims.sub !== provider || !browserHash) throw refuse('INVALID_OAUTH_STATE');
  const sealed = await oauth.consume(claims.jti, browserHash);
  const journey = sealed && unseal(keys.sealing, contextOf(claims.jti), sealed);
  if (!journey) throw refuse('INVALID_OAUTH_STATE');
  return Journey.parse(JSON.parse(journey));
}

function contextOf(id: string): string {
  return `oauth-state:${id}`;
}
