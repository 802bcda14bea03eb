import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import pLimit from 'p-limit';
import * as z from 'zod';
import { refuse } from '../../http/errors.js';
import { passwordProblem } from '../../policy.js';
import { monotonicTime } from '../../process/clock.js';
import type { Services } from '../../services.js';

/** bcrypt reads only 72 bytes: a longer password would be truncated silently (ASVS 6.2.8). */
export const PASSWORD_BYTES = 72;

/**
 * A password in a request body: 1 to 72 UTF-8 bytes. No NUL, where bcrypt would stop reading, and no lone
 * surrogate, which UTF-8 cannot tell from another. The policy (`src/policy.ts`) decides how strong it must be.
 */
export const passwordField = z
  .string()
  .min(1, 'Enter a password.')
  .refine((value) => Buffer.byteLength(value) <= PASSWORD_BYTES, 'Use at most 72 bytes.')
  .refine((value) => !value.includes('\0'), 'NUL characters are not allowed.')
  .refine((value) => value.isWellFormed(), 'Lone surrogates are not allowed.');

/** In characters, for accounts that can do everything. ASVS 6.2.1 requires 8 and recommends 15. */
export const ADMIN_PASSWORD_LENGTH = 12;

export const adminPassword = passwordField.refine(
  (password) => [...password].length >= ADMIN_PASSWORD_LENGTH,
  `Use at least ${ADMIN_PASSWORD_LENGTH} characters.`,
);

/** Whose password it will be, for the policy. */
export interface PasswordOwner {
  services: Services;
  email: string;
}

/** Asks the policy about a new password. Throws VALIDATION_FAILED naming `field`. */
export async function requirePasswordPolicy(
  password: string,
  field: string,
  owner: PasswordOwner,
): Promise<void> {
  const problem = await passwordProblem(password, owner);
  if (problem) throw refuse('VALIDATION_FAILED', { details: [{ path: field, message: problem }] });
}

/** bcrypt runs in libuv's thread pool: more hashes at a time would only wait inside it. */
const AT_ONCE = Math.min(availableParallelism(), 4);
const hashing = pLimit(AT_ONCE);
/** Patient work waits here first: a sign-in never waits behind more of it than runs at once. */
const patient = pLimit(AT_ONCE);

/** The longest wait. Anybody can ask for a sign-in: a flood must not make honest ones hang. */
export const SIGN_IN_TIMEOUT_MS = 1_750;
/** For whoever holds a session or a token, or is limited otherwise. */
export const SIGNED_IN_TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS = '2';

/**
 * Runs `work`, which hashes, off the event loop and a few at a time. Throws UNAVAILABLE with
 * Retry-After if its turn comes later than `longestMs`.
 */
export function queueHash<T>(longestMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = monotonicTime() + longestMs;
  const run = () =>
    hashing(() => {
      if (monotonicTime() <= deadline) return work();
      throw refuse('UNAVAILABLE', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
    });
  return longestMs > SIGN_IN_TIMEOUT_MS ? patient(run) : run();
}

/** The bcrypt hash of a password. Throws UNAVAILABLE if it waits too long for its turn. */
export function hashPassword(password: string, cost: number): Promise<string> {
  return queueHash(SIGNED_IN_TIMEOUT_MS, () => bcrypt.hash(password, cost));
}

/** Hashes the password of a new account; the result saves it in a transaction, which must not wait for hashing. */
export async function newPassword({ config }: Services, password: string) {
  const hash = await hashPassword(password, config.BCRYPT_COST);
  return (tx: Services, userId: string): Promise<void> => tx.password.save(userId, hash);
}

const BCRYPT_HASH = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

/**
 * True if the password matches the hash. Without a hash it compares with a dummy, and after a hash of a lower
 * cost with more of them: the time must not reveal whether, and since when, an address is known (ASVS 6.3.8).
 * Throws UNAVAILABLE if it waits longer than `longestMs` for its turn.
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  cost: number,
  longestMs = SIGNED_IN_TIMEOUT_MS,
): Promise<boolean> {
  // A hash of another kind, such as an imported one, matches no password: its owner can reset it.
  const own = hash !== undefined && BCRYPT_HASH.test(hash) ? hash : undefined;
  // PHP's name for the same algorithm.
  const compared = own?.replace(/^\$2y\$/, '$2b$') ?? dummyHash(cost);
  const matches = await queueHash(longestMs, async () => {
    const matches = await bcrypt.compare(password, compared);
    // Each step doubles the work: one more hash of each cost, from its own up to today's, adds up to the full time.
    for (let step = bcrypt.getRounds(compared); step < cost; step += 1) {
      await bcrypt.compare(password, dummyHash(step));
    }
    return matches;
  });
  return matches && own !== undefined;
}

export function needsRehash(hash: string, cost: number): boolean {
  return bcrypt.getRounds(hash) < cost;
}

/** Well-formed, and the hash of no known password. */
function dummyHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;
}
