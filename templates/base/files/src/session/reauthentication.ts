import type { ErrorCode } from '../feature.js';
import { refuse } from '../http/errors.js';
import { reauthenticationsOf } from '../http/route.js';
import { now } from '../process/clock.js';
import type { Services } from '../services.js';
import type { Account } from '../users/account.js';
import type { Caller } from './authenticate.js';

export interface Factor {
  /** As sessions, challenges and events name it. */
  name: string;
  /** True if nothing weaker can replace it once an account has it: `strong` routes require it. */
  isStrong?: boolean;
  isAvailable(services: Services, account: Account): Promise<boolean>;
}

/** The factors that were verified in a session, each with the time of its latest verification (ms). */
export type VerifiedFactors = Record<string, number>;

/** A way to reauthenticate, in the body of the request that requires it. */
export interface Reauthentication {
  /** The body's field that carries the proof. */
  field: string;
  /** The factor that it proves, as sessions name it. */
  shows: string;
  /** The code for a wrong proof, with status 400. */
  refuses: ErrorCode;
  /** Throws that code unless the value proves that the sender is the caller. */
  verify(services: Services, caller: Caller, value: string): Promise<void>;
}

/** The code for an empty proof, if one is required. */
export interface EmptyProof {
  refuses: ErrorCode;
  /** True if the body has one, and the account that credential. */
  isSent(services: Services, userId: string, body: Map<string, unknown>): Promise<boolean>;
}

/** The names of the strong factors that an account has: `strong` routes accept nothing weaker from it. */
export async function strongFactorsOf(services: Services, account: Account): Promise<string[]> {
  const names: string[] = [];
  for (const { factor } of services.features) {
    if (factor?.isStrong && (await factor.isAvailable(services, account))) names.push(factor.name);
  }
  return names;
}

/**
 * How a session was opened and strengthened, for the claim `amr`: values of RFC 8176 where there are any,
 * else the method's name. `mfa` means a strong factor besides another one, never two that one mailbox opens.
 */
export function amrOf({ features }: Pick<Services, 'features'>, shown: VerifiedFactors): string[] {
  const names = Object.keys(shown);
  const values: Record<string, string> = Object.assign({}, ...features.map(({ amr }) => amr));
  const isStrong = features.some(({ factor }) => factor?.isStrong && names.includes(factor.name));
  return [...names.map((name) => values[name] ?? name), ...(isStrong && names[1] ? ['mfa'] : [])];
}

/**
 * True if the caller signed in or reauthenticated within REAUTH_WINDOW (ASVS 7.5.1), by one of these factors
 * or, if none is named, by any. Throws SESSION_REVOKED if the session has ended since the caller was admitted.
 */
async function isShown(services: Services, caller: Caller, names: string[]): Promise<boolean> {
  // Such a token lives for minutes, and was issued for this one purpose after a right first factor.
  if (caller.via === 'single-purpose') return true;
  const session = await services.sessions.find(caller.sessionId);
  if (!session) throw refuse('SESSION_REVOKED');
  const since = now() - services.config.REAUTH_WINDOW;
  return Object.entries(session.factors).some(
    ([name, time]) => time >= since && (names.length === 0 || names.includes(name)),
  );
}

/**
 * Passes if the sign-in is recent, or the body holds a reauthentication proof. If the account has a strong
 * factor, a `strong` route requires that one: neither the thief of a fresh session nor the holder of a
 * weaker proof can remove it. A proof is checked even after a recent sign-in, since the client must learn
 * of a wrong one; a correct one is recorded in the session and need not be repeated within REAUTH_WINDOW.
 * Throws REAUTHENTICATION_REQUIRED, the proof's own code, or VALIDATION_FAILED for a proof that is not text.
 */
export async function requireReauthentication(
  services: Services,
  caller: Caller,
  access: 'fresh' | 'strong',
  body: unknown,
): Promise<void> {
  const fields = new Map<string, unknown>(Object.entries(body ?? {}));
  for (const { field, shows, verify } of reauthenticationsOf(services)) {
    // Null and an empty text count as none.
    const proof = fields.get(field) ?? '';
    if (typeof proof !== 'string') {
      const message = 'This must be of type string.';
      throw refuse('VALIDATION_FAILED', { details: [{ path: field, message }] });
    }
    if (!proof) continue;
    await verify(services, caller, proof);
    await services.transaction(({ sessions }) => sessions.addFactor(caller.sessionId, shows));
  }
  const due = access === 'strong' ? await strongFactorsOf(services, caller) : [];
  if (await isShown(services, caller, due)) return;
  for (const { emptyProof } of services.features) {
    if (due.length > 0 || !emptyProof) continue;
    if (await emptyProof.isSent(services, caller.user.id, fields)) throw refuse(emptyProof.refuses);
  }
  throw refuse('REAUTHENTICATION_REQUIRED');
}
