import { now } from '../clock.js';
import type { ErrorCode } from '../error-codes.js';
import { refuse } from '../http/errors.js';
import type { Route } from '../http/route.js';
import { proofs } from '../proofs.js';
import type { Services } from '../services.js';
import type { Caller } from './caller.js';

/** What a route may refuse with that needs a recent sign-in, or a proof. */
export const freshnessCodes: ErrorCode[] = [
  'REAUTHENTICATION_REQUIRED',
  ...proofs.map(({ refuses }) => refuses),
];

/**
 * True if the caller signed in within REAUTH_WINDOW (ASVS 7.5.1). Throws SESSION_REVOKED if the session
 * has ended since the caller was admitted.
 */
export async function isFresh(services: Services, caller: Caller): Promise<boolean> {
  // It lives for minutes, and was made for this one purpose after a right first factor.
  if (caller.via === 'single-purpose') return true;
  const session = await services.sessions.find(caller.sessionId);
  if (!session) throw refuse('SESSION_REVOKED');
  return now() - session.authenticatedAt <= services.config.REAUTH_WINDOW;
}

/**
 * Lets pass whose sign-in is recent, or whose body proves anew who they are. A proof that is given
 * is checked even so: a wrong one is a mistake the client must hear of.
 * Throws REAUTHENTICATION_REQUIRED or the route's `staleCode`, or the proof's own code.
 */
export async function requireFreshSignIn(
  services: Services,
  caller: Caller,
  body: unknown,
  staleCode: Route['staleCode'] = async () => 'REAUTHENTICATION_REQUIRED',
): Promise<void> {
  if (await hasProof(services, caller, body)) return;
  if (!(await isFresh(services, caller))) throw refuse(await staleCode(services, caller));
}

async function hasProof(services: Services, caller: Caller, body: unknown): Promise<boolean> {
  const fields = new Map(Object.entries(body ?? {}));
  for (const { field, verify } of proofs) {
    const value = fields.get(field);
    if (typeof value !== 'string' || value === '') continue;
    await verify(services, caller, value);
    return true;
  }
  return false;
}
