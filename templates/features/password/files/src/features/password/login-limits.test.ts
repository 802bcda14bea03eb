import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Answer, nativeClient } from '../../../test/client.js';
import { createPasswordAccount } from '../../../test/password-account.js';
import { startSingleInstance, startTestService, type TestService } from '../../../test/service.js';

const SECOND = 1000;

/** A guess that comes in from an address of its own, unless `ip` names one. */
async function guess(
  service: TestService,
  email: string,
  password = 'a guess',
  ip = anyAddress(),
): Promise<Answer> {
  return nativeClient(service).post('/login', { email, password }, { 'x-forwarded-for': ip });
}

function statusesOf(answers: Answer[]): number[] {
  return answers.map(({ status }) => status);
}

async function guesses(service: TestService, email: string, count: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) answers.push(await guess(service, email));
  return answers;
}

function startBehindProxy(start = startTestService): Promise<TestService> {
  return start({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
}

test('guessing: an account takes five tries, from however many addresses', async () => {
  const service = await startBehindProxy();
  const { email, password } = await createPasswordAccount(service);

  expect(statusesOf(await guesses(service, email, 6))).toEqual([401, 401, 401, 401, 401, 429]);
  const answer = await guess(service, email, password);

  expect(answer.status).toBe(429);
  expect(answer.body).toEqual({
    error: 'Too many requests. Try again later.',
    code: 'RATE_LIMITED',
  });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(290);
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(300);
  expect(answer.headers.get('ratelimit-limit')).toBe('5');
  expect(answer.headers.get('ratelimit-remaining')).toBe('0');
});

test('enumeration by limit: an address that nobody has is blocked just the same', async () => {
  const service = await startBehindProxy();
  const { email } = await createPasswordAccount(service);

  const known = await guesses(service, email, 7);
  const unknown = await guesses(service, 'nobody@example.com', 7);

  expect(statusesOf(unknown)).toEqual(statusesOf(known));
  expect(unknown.map(({ body }) => body)).toEqual(known.map(({ body }) => body));
});

test('another spelling of an address gives no further tries', async () => {
  const service = await startBehindProxy();
  const { email } = await createPasswordAccount(service, { email: 'ada@example.com' });
  await guesses(service, email, 5);

  expect((await guess(service, 'ADA@example.com ')).status).toBe(429);
});

test('an endless address is counted like any other, under a key that fits its column', async () => {
  const service = await startBehindProxy();

  // One character that NFKC makes eighteen of.
  expect(statusesOf(await guesses(service, '\ufdfa'.repeat(500), 6)).at(-1)).toBe(429);

  const { rows } = await sql<{ key: string }>`select * from rate_limits`.execute(
    service.services.db,
  );
  for (const { key } of rows) expect(key.length).toBeLessThanOrEqual(255);
});

test('patient guessing: the block doubles each time it is reached', async () => {
  const service = await startBehindProxy(startSingleInstance);
  const { email } = await createPasswordAccount(service);

  for (const seconds of [300, 600]) {
    const answers = await guesses(service, email, 6);
    expect(statusesOf(answers)).toEqual([401, 401, 401, 401, 401, 429]);
    const wait = Number(answers.at(-1)?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(seconds - 10);
    expect(wait).toBeLessThanOrEqual(seconds);
    service.advance((seconds - 30) * SECOND);
    expect((await guess(service, email)).status).toBe(429);
    service.advance(31 * SECOND);
  }
});

test('a right password starts the count anew, so its owner is not locked out by typing errors', async () => {
  const service = await startBehindProxy();
  const { email, password } = await createPasswordAccount(service);

  await guesses(service, email, 4);
  expect((await guess(service, email, password)).status).toBe(200);

  expect(statusesOf(await guesses(service, email, 5))).toEqual([401, 401, 401, 401, 401]);
});

test('a flood of guesses at the same moment gets no more tries than a patient one', async () => {
  const service = await startBehindProxy();
  const { email } = await createPasswordAccount(service);

  const flood = Array.from({ length: 30 }, () => guess(service, email));
  const statuses = statusesOf(await Promise.all(flood));

  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(25);
});

test('password spraying: a network address has ten tries a minute, whatever X-Forwarded-For it makes up', async () => {
  const service = await startSingleInstance({ RATE_LIMIT: 'on' });
  const spray = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, nth) => guess(service, `${nth}@example.com`)));

  const statuses = statusesOf(await spray(12));
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  service.advance(61 * SECOND);

  expect(statusesOf(await spray(1))).toEqual([401]);
});

test('a forged X-Forwarded-For is no new address: only what the trusted proxy added counts', async () => {
  const service = await startBehindProxy();
  const behind = (ip: string) =>
    guess(service, `${ip}@example.com`, 'a guess', `${ip}, 198.51.100.7`);

  const answers = await Promise.all(Array.from({ length: 12 }, () => behind(anyAddress())));

  expect(statusesOf(answers).filter((status) => status === 429)).toHaveLength(2);
});

test('locking others out: who runs into the limit of the address does not use up tries of accounts', async () => {
  const service = await startBehindProxy();
  const { email, password } = await createPasswordAccount(service);
  const mallory = '198.51.100.7';
  for (let nth = 0; nth < 10; nth++) await guess(service, `${nth}@example.com`, 'x', mallory);

  for (let nth = 0; nth < 6; nth++) {
    expect((await guess(service, email, 'x', mallory)).status).toBe(429);
  }

  expect((await guess(service, email, password)).status).toBe(200);
});

let last = 0;

/** One of the addresses set aside for documentation and tests (RFC 2544). */
function anyAddress(): string {
  last += 1;
  return `198.18.${Math.floor(last / 250)}.${(last % 250) + 1}`;
}
