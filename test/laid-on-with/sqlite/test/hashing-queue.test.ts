import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTurn, PATIENT_MS, SIGN_IN_MS } from '../src/features/password/hashing-queue.js';

/** As long as a hash of cost 12, without its CPU time. */
const HASH_MS = 250;

/** The tests of a process share the queue, and its estimate of how long a hash takes. */
async function calm(): Promise<void> {
  for (let nth = 0; nth < 50; nth++) await inTurn(Number.POSITIVE_INFINITY, () => sleep(1));
}

beforeEach(calm);

afterEach(calm);

test('exhaustion: of 260 sign-ins at once each has its hash within two seconds, or is refused as UNAVAILABLE', async () => {
  const start = performance.now();
  const outcomes = await Promise.all(
    Array.from({ length: 260 }, async () => {
      const isDone = await inTurn(SIGN_IN_MS, () => sleep(HASH_MS, true)).catch(({ code }) => code);
      return { isDone, ms: performance.now() - start };
    }),
  );
  expect(new Set(outcomes.map(({ isDone }) => isDone))).toEqual(new Set([true, 'UNAVAILABLE']));
  expect(Math.max(...outcomes.map(({ ms }) => ms))).toBeLessThan(SIGN_IN_MS + 3 * HASH_MS);
  // The queue is empty again; other limits last longer.
  await calm();
  const patient = Array.from({ length: 20 }, () => inTurn(PATIENT_MS, () => sleep(HASH_MS, true)));
  expect(await inTurn(PATIENT_MS, () => sleep(HASH_MS, true))).toBe(true);
  await Promise.all(patient);
});
