import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import pLimit from 'p-limit';
import { z } from 'zod';
import { refuse } from '../../http/errors.js';
import { passwordProblem } from '../../policy.js';

/** bcrypt reads 72 bytes and no more: a longer password would be cut without a word (ASVS 6.2.9). */
const PASSWORD_BYTES = 72;

/**
 * A password in a request body: 1 to 72 UTF-8 bytes. bcrypt would end at a NUL, so none is allowed;
 * a lone surrogate has no UTF-8, and would be the same password as another.
 * How strong it must be is the policy's business (`src/policy.ts`).
 */
export const passwordField = z
  .string()
  .min(1, 'A password is needed.')
  .refine((value) => Buffer.byteLength(value) <= PASSWORD_BYTES, 'Use at most 72 bytes.')
  .refine((value) => !value.includes('\0'), 'NUL characters are not allowed.')
  .refine((value) => value.isWellFormed(), 'Lone surrogates are not allowed.');

/** The policy's word on a new password. Throws VALIDATION_FAILED naming `field`. */
export async function requireAcceptable(password: string, field: string): Promise<void> {
  const problem = await passwordProblem(password);
  if (problem) throw refuse('VALIDATION_FAILED', { details: [{ path: field, message: problem }] });
}

/** libuv's thread pool, where bcrypt runs; more at a time would only wait inside it. */
const THREADS = 4;
const hashing = pLimit(Math.min(availableParallelism(), THREADS));

/** Past this a newcomer would wait for seconds; it is told to come back instead. */
const LONGEST_QUEUE = 200;
const RETRY_AFTER_SECONDS = '2';

/** The bcrypt hash of a password. Throws UNAVAILABLE if too many wait already. */
export function hashPassword(password: string, cost: number): Promise<string> {
  return inTurn(() => bcrypt.hash(password, cost));
}

/**
 * True if the password belongs to the hash. Without a hash it compares with a dummy of the same
 * cost and is false: an unknown address takes as long as a known one (ASVS 6.3.8).
 * Throws UNAVAILABLE if too many wait already.
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  cost: number,
): Promise<boolean> {
  const matches = await inTurn(() => bcrypt.compare(password, hash ?? dummyHash(cost)));
  return matches && hash !== undefined;
}

/** True for a hash of a lower cost than today's. */
export function needsRehash(hash: string, cost: number): boolean {
  return bcrypt.getRounds(hash) < cost;
}

/** Well-formed, and the hash of no known password. */
function dummyHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (hashing.pendingCount >= LONGEST_QUEUE) {
    throw refuse('UNAVAILABLE', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
  }
  return hashing(work);
}
