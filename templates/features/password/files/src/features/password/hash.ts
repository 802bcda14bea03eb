import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import pLimit from 'p-limit';
import { refuse } from '../../http/errors.js';

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
