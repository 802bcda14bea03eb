import type { ErrorCode } from '../feature.js';
import { refuse } from '../http/errors.js';
import { now } from '../process/clock.js';
import type { Services } from '../services.js';
import type { Caller } from './authenticate.js';

/** A way to prove anew who one is, in the body of the request that needs it. */
export interface Reauthentication {
  /** The body's field that carries it. */
  field: string;
  /** The code of a wrong one, whose status is 400. */
  refuses: ErrorCode;
  /** Throws that code unless the value proves that this is the caller. */
  verify(services: Services, caller: Caller, value: string): Promise<void>;
}

/** What an empty proof is refused with, if one is needed and the account has it. */
export interface EmptyProof {
  field: string;
  refuses: ErrorCode;
  isSet(services: Services, userId: string): Promise<boolean>;
}

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
 * Throws REAUTHENTICATION_REQUIRED, or the proof's own code.
 */
export async function requireFreshSignIn(
  services: Services,
  caller: Caller,
  body: unknown,
): Promise<void> {
  const fields = new Map(Object.entries(body ?? {}));
  const proofs = services.features.flatMap(({ reauthentication }) => reauthentication ?? []);
  for (const { field, verify } of proofs) {
    const value = fields.get(field);
    if (typeof value === 'string' && value !== '') return verify(services, caller, value);
  }
  if (await isFresh(services, caller)) return;
  for (const { emptyProof } of services.features) {
    if (!emptyProof || fields.get(emptyProof.field) !== '') continue;
    if (await emptyProof.isSet(services, caller.user.id)) throw refuse(emptyProof.refuses);
  }
  throw refuse('REAUTHENTICATION_REQUIRED');
}
