import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addAdmin } from '../src/commands/administrators.js';
import { type Answer, nativeClient } from './client.js';
import { createPasswordAccount, signInWithPassword } from './flows/password.js';
import { openLog, startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const GUESS = 'a guess';

/** An address with a password, one whose account has none, and one that nobody has. */
async function threeAddresses(service: TestService) {
  const known = (await createPasswordAccount(service)).email;
  const passwordless = (await signInAs(service)).user.email;
  return { known, passwordless, unknown: 'nobody@example.com' };
}

test('enumeration by time: no address answers noticeably faster or slower than another', async () => {
  // The cost of the other tests is so low that a hash would not be noticed.
  const service = await startTestService({ BCRYPT_COST: '10' });
  const addresses = Object.values(await threeAddresses(service));
  const client = nativeClient(service);
  const least = new Map(addresses.map((email) => [email, Number.POSITIVE_INFINITY]));
  // Without hashing it would be a tenth.
  const ratio = () => Math.max(...least.values()) / Math.min(...least.values());

  // The fastest counts, because other load on this machine only adds time: as much as that takes.
  for (let round = 0; round < 4 || (round < 100 && ratio() >= 2); round++) {
    for (const email of addresses) {
      const start = performance.now();
      await client.post('/login', { email, password: GUESS });
      least.set(email, Math.min(least.get(email) ?? 0, performance.now() - start));
    }
  }
  expect(ratio()).toBeLessThan(2);
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

test('a password is compared as it is: no blank is cut, no letter folded', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service, { password: ' Äpfel und Birnen ' });
  const client = nativeClient(service);

  for (const password of ['Äpfel und Birnen', ' äpfel und birnen ', ' Apfel und Birnen ']) {
    expect((await client.post('/login', { email, password })).status).toBe(401);
  }
  expect((await client.post('/login', { email, password: ' Äpfel und Birnen ' })).status).toBe(200);
});

test('72 bytes of multi-byte characters are a password like any other, down to the last byte', async () => {
  const service = await startTestService();
  const password = '€'.repeat(24);
  const { email } = await createPasswordAccount(service, { password });
  const client = nativeClient(service);

  expect((await client.post('/login', { email, password })).status).toBe(200);
  const almost = `${'€'.repeat(23)}₭`;
  expect((await client.post('/login', { email, password: almost })).status).toBe(401);
});

test('while sign-ins are being hashed, other requests are served as usual', async () => {
  const service = await startTestService({ BCRYPT_COST: '11' });
  const { client } = await signInAs(service);
  let hashed = 0;
  const logins = Array.from({ length: 24 }, async () => {
    await nativeClient(service).post('/login', { email: 'a@example.com', password: 'a guess' });
    hashed += 1;
  });

  for (let nth = 0; nth < 10; nth++) expect((await client.get('/me')).status).toBe(200);

  expect(hashed).toBeLessThan(24);
  await Promise.all(logins);
});

test('a failure in the middle of a request logs the error, never what was sent', async () => {
  const { log, lines } = openLog('trace');
  const service = await startTestService({}, { log });
  const { email, password } = await createPasswordAccount(service);
  await service.services.db.schema.dropTable('passwords').execute();

  const { status, body } = await nativeClient(service).post('/login', { email, password });

  expect([status, body]).toEqual([
    500,
    { error: 'Something went wrong on our side.', code: 'INTERNAL' },
  ]);
  expect(lines.join('')).toContain('passwords');
  expect(lines.join('')).not.toContain(password);
});

/** A guess from a different IP address each time, unless `ip` names one. */
async function guess(
  service: TestService,
  email: string,
  password = GUESS,
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

function startBehindProxy(): Promise<TestService> {
  return startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
}

let last = 0;

/** One of the addresses set aside for documentation and tests (RFC 2544). */
function anyAddress(): string {
  last += 1;
  return `198.18.${Math.floor(last / 250)}.${(last % 250) + 1}`;
}

const SECOND = 1000;

test('enumeration by limit: an unknown address is blocked in the same way', async () => {
  const service = await startBehindProxy();
  const { email } = await createPasswordAccount(service);

  const known = await guesses(service, email, 7);
  const unknown = await guesses(service, 'nobody@example.com', 7);

  expect(statusesOf(unknown)).toEqual(statusesOf(known));
  expect(unknown.map(({ body }) => body)).toEqual(known.map(({ body }) => body));
});

test('patient guessing: the block doubles each time it is reached', async () => {
  const service = await startBehindProxy();
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

test('password spraying: a network address has ten tries a minute, whatever X-Forwarded-For it makes up', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const statuses: number[] = [];
  for (let nth = 0; nth < 12; nth++) {
    statuses.push((await guess(service, `${nth}@example.com`)).status);
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  service.advance(61 * SECOND);

  expect((await guess(service, 'ada@example.com')).status).toBe(401);
});

test('locking others out: requests past the limit per IP use up no tries of accounts', async () => {
  const service = await startBehindProxy();
  const { email, password } = await createPasswordAccount(service);
  const mallory = '198.51.100.7';
  for (let nth = 0; nth < 10; nth++) await guess(service, `${nth}@example.com`, 'x', mallory);

  for (let nth = 0; nth < 6; nth++) {
    expect((await guess(service, email, 'x', mallory)).status).toBe(429);
  }

  expect((await guess(service, email, password)).status).toBe(200);
});

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

test('another spelling of an address gives no further tries', async () => {
  const service = await startBehindProxy();
  const { email } = await createPasswordAccount(service, { email: 'ada@example.com' });
  await guesses(service, email, 5);

  expect((await guess(service, 'ADA@example.com ')).status).toBe(429);
});

test('text typed as an address is counted, and not stored: it may be a password', async () => {
  const service = await startBehindProxy();
  const typed = 'my secret password';

  expect(statusesOf(await guesses(service, typed, 6)).at(-1)).toBe(429);
  // A plain number is an old notation of an IPv4 address.
  expect(statusesOf(await guesses(service, '12345678', 6)).at(-1)).toBe(429);
  // One character that NFKC expands to eighteen.
  expect(statusesOf(await guesses(service, '\ufdfa'.repeat(500), 6)).at(-1)).toBe(429);

  const { rows } = await sql<{ key: string }>`select * from rate_limits`.execute(
    service.services.db,
  );
  for (const { key } of rows) expect(key.length).toBeLessThanOrEqual(255);
  expect(JSON.stringify(rows)).not.toContain(typed);
  expect(JSON.stringify(rows)).not.toContain('0.188.97.78');
});

test('two accounts for one mailbox: a domain as browsers send it, in Punycode, is the one that was typed', async () => {
  const service = await startBehindProxy();
  const account = await createPasswordAccount(service, { email: 'ada@xn--mnchen-3ya.example' });
  expect((await guess(service, 'ada@MÜNCHEN.example', account.password)).status).toBe(200);
});

test('a right password is no guess: it takes none away, and gives strangers no new ones', async () => {
  const service = await startBehindProxy();
  const { email, password } = await createPasswordAccount(service);

  for (let nth = 0; nth < 6; nth++) {
    expect((await guess(service, email, password)).status).toBe(200);
  }
  await guesses(service, email, 4);
  expect((await guess(service, email, password)).status).toBe(200);

  expect(statusesOf(await guesses(service, email, 2))).toEqual([401, 429]);
});

test('a forged X-Forwarded-For gives no new address: only what the trusted proxy added counts', async () => {
  const service = await startBehindProxy();
  const behind = (ip: string) =>
    guess(service, `${ip}@example.com`, 'a guess', `${ip}, 198.51.100.7`);

  const answers = await Promise.all(Array.from({ length: 12 }, () => behind(anyAddress())));

  expect(statusesOf(answers).filter((status) => status === 429)).toHaveLength(2);
});

test('`admin create` takes over no account that exists', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);

  expect(await addAdmin(service.services, { email: account.email })).toBe(false);

  const client = await signInWithPassword(service, account);
  expect((await client.get('/me')).body.role).toBe('user');
});

test('BOOTSTRAP_ADMIN_* create no account while there is an administrator, and change no password', async () => {
  const email = 'ada@example.com';
  const first = { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: 'the first password' };
  const { DATABASE_URL } = (await startTestService(first)).config;

  const again = { ...first, BOOTSTRAP_ADMIN_PASSWORD: 'another password', DATABASE_URL };
  await startTestService(again);
  const service = await startTestService({ ...again, BOOTSTRAP_ADMIN_EMAIL: 'eve@example.com' });

  await signInWithPassword(service, { email, password: 'the first password' });
  const eve = { email: 'eve@example.com', password: 'another password' };
  expect((await nativeClient(service).post('/login', eve)).status).toBe(401);
});

test('F-01 a route opens a session only if it declares that it signs in, by which this test finds it', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const signIn = () => nativeClient(service).post('/login', account);
  const { resources } = service.services;
  const login = resources
    .flatMap(({ routes }) => routes)
    .find(({ path, method }) => `${method} ${path}` === 'POST /auth/login');
  expect((await signIn()).status).toBe(200);

  Object.assign(login ?? {}, { signsIn: undefined });
  const { status, body, setCookies } = await signIn();
  expect([status, body.code, setCookies]).toEqual([500, 'INTERNAL', []]);
});
