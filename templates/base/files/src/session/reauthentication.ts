import type { ErrorCode } from '../feature.js';
import { refuse } from '../http/errors.js';
import { now } from '../process/clock.js';
import type { Services } from '../services.js';
import type { Caller } from './authenticate.js';
import { strongFactorsOf } from './factors.js';

/** A way to prove anew who one is, in the body of the request that needs it. */
export interface Reauthentication {
  /** The body's field that carries it. */
  field: string;
  /** The factor that it shows, as sessions name it. */
  shows: string;
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
 * True if the caller signed in, or proved anew who they are, within REAUTH_WINDOW (ASVS 7.5.1), by one of these factors;
 * without any named, by whichever. Throws SESSION_REVOKED if the session has ended since the caller was admitted.
 */
async function isShown(services: Services, caller: Caller, names: string[]): Promise<boolean> {
  // It lives for minutes, and was made for this one purpose after a right first factor.
  if (caller.via === 'single-purpose') return true;
  const shown = await services.sessions.findFactors(caller.sessionId);
  if (!shown) throw refuse('SESSION_REVOKED');
  const since = now() - services.config.REAUTH_WINDOW;
  return Object.entries(shown).some(
    ([name, time]) => time >= since && (names.length === 0 || names.includes(name)),
  );
}

/** Notes in the caller's session that they have shown a factor just now. */
export async function noteFactor(services: Services, caller: Caller, name: string): Promise<void> {
  if (caller.via === 'single-purpose') return;
  await services.transaction(({ sessions }) => sessions.addFactor(caller.sessionId, name, now()));
}

/**
 * Lets pass whose sign-in is recent, or whose body proves anew who they are. If the account has a strong
 * factor, a `strong` route asks for that one: neither who stole a fresh session nor who has a weaker
 * proof can take it away. A proof that is given is checked even so, since a wrong one is a mistake that the client
 * must hear of, and a right one is noted in the session: it need not be given again within REAUTH_WINDOW.
 * Throws REAUTHENTICATION_REQUIRED, or the proof's own code.
 */
export async function requireReauthentication(
  services: Services,
  caller: Caller,
  access: 'fresh' | 'strong',
  body: unknown,
): Promise<void> {
  const fields = new Map(Object.entries(body ?? {}));
  for (const { reauthentication } of services.features) {
    const value = reauthentication && fields.get(reauthentication.field);
    if (!reauthentication || typeof value !== 'string' || value === '') continue;
    await reauthentication.verify(services, caller, value);
    await noteFactor(services, caller, reauthentication.shows);
  }
  const due = access === 'strong' ? await strongFactorsOf(services, caller) : [];
  if (await isShown(services, caller, due)) return;
  for (const { emptyProof } of services.features) {
    if (due.length > 0 || !emptyProof || fields.get(emptyProof.field) !== '') continue;
    if (await emptyProof.isSet(services, caller.user.id)) throw refuse(emptyProof.refuses);
  }
  throw refuse('REAUTHENTICATION_REQUIRED');
}
