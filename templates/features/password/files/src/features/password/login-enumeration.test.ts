import { performance } from 'node:perf_hooks';
import bcrypt from 'bcrypt';
import { expect, test, vi } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { createPasswordAccount } from '../../../test/password-account.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const GUESS = 'a guess';
const ROUNDS = 9;

/** An address with a password, one whose account has none, and one that nobody has. */
async function threeAddresses(service: TestService) {
  const known = (await createPasswordAccount(service)).email;
  const passwordless = (await signInAs(service)).user.email;
  return { known, passwordless, unknown: 'nobody@example.com' };
}

test('enumeration by answer: status, body and headers do not tell who has an account', async () => {
  const service = await startTestService();
  const addresses = await threeAddresses(service);
  const client = nativeClient(service);

  const answers = await Promise.all(
    Object.values(addresses).map((email) => client.post('/login', { email, password: GUESS })),
  );

  for (const { status, body, headers } of answers) {
    expect(status).toBe(401);
    expect(body).toEqual({
      error: 'The email address or the password is wrong.',
      code: 'INVALID_CREDENTIALS',
    });
    expect([...headers.keys()]).toEqual([...(answers[0]?.headers.keys() ?? [])]);
  }
});

test('enumeration by work: whoever it is, one hash of the configured cost is computed', async () => {
  const service = await startTestService({ BCRYPT_COST: '11' });
  const addresses = await threeAddresses(service);
  const compare = vi.spyOn(bcrypt, 'compare');

  for (const email of Object.values(addresses)) {
    compare.mockClear();
    await nativeClient(service).post('/login', { email, password: GUESS });

    expect(compare).toHaveBeenCalledOnce();
    const [password, hash] = compare.mock.calls[0] ?? [];
    expect(password).toBe(GUESS);
    expect(bcrypt.getRounds(hash ?? '')).toBe(11);
  }
});

test('enumeration by time: no address answers noticeably faster or slower than another', async () => {
  const service = await startTestService();
  const { known, passwordless, unknown } = await threeAddresses(service);
  const times = new Map([known, passwordless, unknown].map((email) => [email, [] as number[]]));
  const client = nativeClient(service);

  // Taking turns, so that whatever else slows this machine down slows all three of them.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [email, measured] of times) {
      const start = performance.now();
      await client.post('/login', { email, password: GUESS });
      measured.push(performance.now() - start);
    }
  }

  const ofKnown = median(times.get(known));
  for (const email of [passwordless, unknown]) {
    // Without a hash it would be a twentieth.
    expect(median(times.get(email)) / ofKnown).toBeGreaterThan(0.5);
    expect(median(times.get(email)) / ofKnown).toBeLessThan(2);
  }
});

test('the dummy hash opens nothing, whatever the password', async () => {
  const service = await startTestService();
  const { passwordless, unknown } = await threeAddresses(service);
  const client = nativeClient(service);

  for (const email of [passwordless, unknown]) {
    for (const password of ['.', 'undefined', 'null', '.'.repeat(53)]) {
      expect((await client.post('/login', { email, password })).status).toBe(401);
    }
  }
});

function median(values: number[] = []): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
