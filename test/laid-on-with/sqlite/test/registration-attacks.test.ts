import { expect, test } from 'vitest';
import { browser, nativeClient } from './client.js';
import { createPasswordAccount, signInWithPassword } from './flows/password.js';
import { openLog, startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const ADA = { email: 'ada@example.com', password: 'correct horse battery staple' };

test('login CSRF: a page of another origin cannot register its visitors', async () => {
  const service = await startTestService();

  const { status, body } = await browser(service).post('/register', ADA, {
    origin: 'https://evil.example',
  });

  expect([status, body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
});

test('a registration signs nobody in: it sets no session cookie and hands out no token', async () => {
  const service = await startTestService();
  const client = browser(service);

  await client.post('/register', ADA);

  expect([...client.cookies.keys()].sort()).toEqual(['csrf-token', 'newcomer']);
  expect((await client.get('/me')).status).toBe(401);
});

test.each([
  ['without an address', { password: ADA.password }, ['email']],
  ['without a password', { email: ADA.email }, ['password']],
  ['without anything', {}, ['email', 'password']],
  ['with numbers', { email: 1, password: 2 }, ['email', 'password']],
  ['with lists', { email: [ADA.email], password: [ADA.password] }, ['email', 'password']],
  ['with objects', { email: { $gt: '' }, password: { $gt: '' } }, ['email', 'password']],
  ['with nulls', { email: null, password: null }, ['email', 'password']],
  ['with truths', { email: true, password: true }, ['email', 'password']],
])('a registration %s names the fields that are wrong', async (_name, body, paths) => {
  const service = await startTestService();

  const answer = await nativeClient(service).post('/register', body);

  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(answer.body.details.map(({ path }: { path: string }) => path)).toEqual(paths);
});

test.each([
  ['of 73 bytes', 'x'.repeat(73)],
  ['of 73 bytes in 25 characters', `${'€'.repeat(24)}x`],
  ['with a NUL', 'secret\0sauce'],
  ['that is empty', ''],
])('a password %s is refused', async (_name, password) => {
  const service = await startTestService();

  const { status, body } = await nativeClient(service).post('/register', { ...ADA, password });

  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(body.details[0].path).toBe('password');
});

test.each([
  ['Chinese characters', '趙元任'],
  ['an emoji with several code points', '👩‍🚀'],
  ['letters from right to left', 'عائشة'],
  ['quotes and markup', `Robert'); drop table users;-- <script>"`],
  ['control characters', 'A\u0007\u001b[2J\r\nB'],
])('a name of %s comes back as it was sent', async (_name, firstName) => {
  const service = await startTestService();

  const account = { ...ADA, password: '密'.repeat(24), firstName };
  const { status } = await nativeClient(service).post('/register', account);

  expect(status).toBe(201);
  const { client } = await signInAs(service, { email: ADA.email });
  const { body } = await client.get('/me');
  expect(body.metadata).toEqual({ firstName });
});

test('a NUL is refused wherever it hides: databases cut a text there, or break', async () => {
  const service = await startTestService();
  const client = nativeClient(service);

  for (const fields of [{ name: 'A\0B' }, { deep: [{ inside: '\0' }] }]) {
    const { status, body } = await client.post('/register', { ...ADA, ...fields });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  }
});

test.each([
  ['a list', '[]', 'VALIDATION_FAILED'],
  ['a text', '"ada"', 'VALIDATION_FAILED'],
  ['null', 'null', 'VALIDATION_FAILED'],
  ['half an object', '{"email":', 'INVALID_JSON'],
  ['a form', 'email=ada%40example.com', 'INVALID_JSON'],
])('a body that is %s is refused', async (_name, sent, code) => {
  const service = await startTestService();

  const { status, body } = await nativeClient(service).post('/register', sent);

  expect([status, body.code]).toEqual([400, code]);
});

test('a body past BODY_LIMIT is refused before it is parsed', async () => {
  const service = await startTestService({ BODY_LIMIT: '10kb' });

  const { status, body } = await nativeClient(service).post('/register', {
    ...ADA,
    name: 'x'.repeat(20_000),
  });

  expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE']);
});

const MALLORY = { email: 'mallory@example.com', password: 'correct horse battery staple' };

/** Registers with further fields, given as JSON text: an object literal could not hold `__proto__`. */
async function registerWith(service: TestService, fields: string): Promise<void> {
  const { email, password } = MALLORY;
  const body = `{"email":"${email}","password":"${password}",${fields}}`;
  const answer = await nativeClient(service).post('/register', body);
  expect(answer.status).toBe(201);
}

test('prototype pollution: no registration changes what other objects are', async () => {
  const service = await startTestService();

  await registerWith(
    service,
    '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}',
  );

  expect({}).not.toHaveProperty('polluted');
  expect([]).not.toHaveProperty('polluted');
});

test('a registration with the id of somebody else leaves that account alone', async () => {
  const service = await startTestService();
  const ada = await createPasswordAccount(service);

  await registerWith(service, `"id":"${ada.id}","userId":"${ada.id}"`);

  const { client } = await signInAs(service, { email: MALLORY.email });
  expect((await client.get('/me')).body.sub).not.toBe(ada.id);
  await signInWithPassword(service, ada);
});

test('the password is stored as its hash, and neither stored nor logged as it is', async () => {
  const { log, lines } = openLog('trace');
  const service = await startTestService({ BCRYPT_COST: '11' }, { log });
  await registerWith(service, '"name":"Mallory"');

  const { db } = service.services;
  const users = await db.selectFrom('users').selectAll().execute();
  const passwords = await db.selectFrom('passwords').selectAll().execute();

  expect(passwords[0]?.hash).toMatch(/^\$2b\$11\$/);
  expect(JSON.stringify([users, passwords, lines])).not.toContain(MALLORY.password);
  expect(JSON.stringify(await service.events())).not.toContain(MALLORY.password);
});
