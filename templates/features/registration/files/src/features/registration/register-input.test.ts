import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { signInWithPassword } from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const ADA = { email: 'ada@example.com', password: 'correct horse battery staple' };

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
  ['a word', 'ada'],
  ['two addresses', 'ada@example.com,eve@example.com'],
  ['two addresses in two lines', 'ada@example.com\neve@example.com'],
  ['a header of a mail', 'ada@example.com\r\nBcc: eve@example.com'],
  ['a mailbox with a name', 'Ada <ada@example.com>'],
  ['blank', '   '],
  ['with a blank inside', 'ada lovelace@example.com'],
  ['with a NUL', 'ada\0@example.com'],
  ['with an escape character', 'ada\u001b[2J@example.com'],
  ['with a zero-width space', 'ada\u200b@example.com'],
  ['written from right to left', 'ada\u202e@example.com'],
  ['with a Cyrillic letter', 'аda@example.com'],
  ['without a domain', 'ada@'],
  ['without a name', '@example.com'],
  ['of 255 characters', `${'a'.repeat(60)}@${'bc.'.repeat(64)}xx`],
  ['endless', `${'a'.repeat(50_000)}@example.com`],
])('an address that is %s is refused', async (_name, email) => {
  const service = await startTestService();

  const { status, body } = await nativeClient(service).post('/register', { ...ADA, email });

  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(body.details[0].path).toBe('email');
  expect(await service.services.users.list({ limit: 1, offset: 0 })).toEqual([]);
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

test('a password of 72 bytes in multi-byte characters signs in', async () => {
  const service = await startTestService();
  const account = { ...ADA, password: '密'.repeat(24) };

  expect((await nativeClient(service).post('/register', account)).status).toBe(201);

  await signInWithPassword(service, account);
});

test.each([
  ['Chinese characters', '趙元任'],
  ['an emoji with several code points', '👩‍🚀'],
  ['letters from right to left', 'عائشة'],
  ['quotes and markup', `Robert'); drop table users;-- <script>"`],
  ['control characters', 'A\u0007\u001b[2J\r\nB'],
  ['half a surrogate pair', 'A\ud800B'],
])('a name of %s comes back as it was sent', async (_name, firstName) => {
  const service = await startTestService();

  const { status } = await nativeClient(service).post('/register', { ...ADA, firstName });

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

test('a body past BODY_LIMIT is refused before anybody looks into it', async () => {
  const service = await startTestService({ BODY_LIMIT: '10kb' });

  const { status, body } = await nativeClient(service).post('/register', {
    ...ADA,
    name: 'x'.repeat(20_000),
  });

  expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE']);
});

test('a name that is too long is refused, not dropped', async () => {
  const service = await startTestService();
  const firstName = 'x'.repeat(201);
  const { status, body } = await nativeClient(service).post('/register', { ...ADA, firstName });
  expect([status, body.code]).toEqual([400, 'REGISTRATION_REJECTED']);
});
