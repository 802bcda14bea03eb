import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  queueHash,
  SIGN_IN_TIMEOUT_MS,
  SIGNED_IN_TIMEOUT_MS,
} from '../src/features/password/hashing-queue.js';

/** As long as a hash of cost 12, without its CPU time. */
const HASH_MS = 250;

test('exhaustion: of 260 sign-ins at once each has its hash within two seconds, or is refused as UNAVAILABLE', async () => {
  const start = performance.now();
  const outcomes = await Promise.all(
    Array.from({ length: 260 }, async () => {
      const isDone = await queueHash(SIGN_IN_TIMEOUT_MS, () => sleep(HASH_MS, true)).catch(
        ({ code }) => code,
      );
      return { isDone, ms: performance.now() - start };
    }),
  );
  expect(new Set(outcomes.map(({ isDone }) => isDone))).toEqual(new Set([true, 'UNAVAILABLE']));
  expect(Math.max(...outcomes.map(({ ms }) => ms))).toBeLessThan(SIGN_IN_TIMEOUT_MS + 3 * HASH_MS);
  // The queue is empty again; other limits last longer.
  const patient = Array.from({ length: 20 }, () =>
    queueHash(SIGNED_IN_TIMEOUT_MS, () => sleep(HASH_MS, true)),
  );
  expect(await queueHash(SIGNED_IN_TIMEOUT_MS, () => sleep(HASH_MS, true))).toBe(true);
  await Promise.all(patient);
});
