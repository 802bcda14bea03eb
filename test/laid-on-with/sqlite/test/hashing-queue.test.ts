import { expect, onTestFinished, test, vi } from 'vitest';
import {
  queueHash,
  SIGN_IN_TIMEOUT_MS,
  SIGNED_IN_TIMEOUT_MS,
} from '../src/features/password/password.js';

/** As long as a hash of cost 12, without its CPU time. */
const HASH_MS = 250;

const hash = () => new Promise<true>((resolve) => setTimeout(resolve, HASH_MS, true));

test('exhaustion: of 260 sign-ins at once each has its hash within two seconds, or is refused as UNAVAILABLE', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const start = performance.now();
  const signIns = Array.from({ length: 260 }, async () => {
    const isDone = await queueHash(SIGN_IN_TIMEOUT_MS, hash).catch(({ code }) => code);
    return { isDone, ms: performance.now() - start };
  });
  await vi.advanceTimersByTimeAsync(10_000);
  const outcomes = await Promise.all(signIns);
  expect(new Set(outcomes.map(({ isDone }) => isDone))).toEqual(new Set([true, 'UNAVAILABLE']));
  expect(Math.max(...outcomes.map(({ ms }) => ms))).toBeLessThanOrEqual(2_000);
  // The queue is empty again; other limits last longer.
  const patient = Array.from({ length: 21 }, () => queueHash(SIGNED_IN_TIMEOUT_MS, hash));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(new Set(await Promise.all(patient))).toEqual(new Set([true]));
});

test('exhaustion: signed-in users who prove their passwords all the time keep nobody from signing in', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const flood = Array.from({ length: 200 }, () =>
    queueHash(SIGNED_IN_TIMEOUT_MS, hash).catch(({ code }) => code),
  );
  const signIn = queueHash(SIGN_IN_TIMEOUT_MS, hash);
  await vi.advanceTimersByTimeAsync(3 * HASH_MS);
  await expect(signIn).resolves.toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([true, 'UNAVAILABLE']));
});
