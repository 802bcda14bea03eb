import { expect, test, vi } from 'vitest';
import { nativeClient } from './client.js';
import { ADA, policy } from './policy.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

test.each([
  ['as it is', 'ada@example.com'],
  ['in capitals', 'ADA@Example.COM'],
  ['between blanks', ' ada@example.com\n'],
  ['in full-width letters', 'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ'],
])('an address is registered once: %s, it is taken', async (_spelling, email) => {
  const service = await startTestService();
  const client = nativeClient(service);
  await client.post('/register', ADA);

  const second = await client.post('/register', { ...ADA, email });

  expect([second.status, second.body.code]).toEqual([409, 'USER_EXISTS']);
});

test('an account that cannot be created completely is not created, and emits no event', async () => {
  // A mail would be composed with it.
  const service = await startTestService({ EMAIL_VERIFICATION: 'strict' });
  const { db, users } = service.services;
  // The last row that a registration writes.
  await db.schema.dropTable('user_roles').execute();

  const { status, body } = await nativeClient(service).post('/register', ADA);

  expect([status, body.code]).toEqual([500, 'INTERNAL']);
  expect(await users.findByEmail(ADA.email)).toBeUndefined();
  expect(await service.events()).toEqual([]);
  expect(await service.mails()).toEqual([]);
});

test.each([
  ['a word', 'ada'],
  ['two addresses', 'ada@example.com,eve@example.com'],
  ['a header of a mail', 'ada@example.com\r\nBcc: eve@example.com'],
  ['a mailbox with a name', 'Ada <ada@example.com>'],
  ['with a blank inside', 'ada lovelace@example.com'],
  ['with a NUL', 'ada\0@example.com'],
  ['with a zero-width space', 'ada\u200b@example.com'],
  ['with a variation selector', 'ada\ufe0f@example.com'],
  ['with a Hangul filler', 'ada\u3164@example.com'],
  ['with two dots', 'ada..b@example.com'],
  ['with a domain of one word', 'ada@localhost'],
  ['with a label that ends in a hyphen', 'ada@example-.com'],
  ['without a domain', 'ada@'],
  ['of 255 characters', `${'a'.repeat(60)}@${'bc.'.repeat(64)}xx`],
  ['endless', `${'a'.repeat(50_000)}@example.com`],
])('an address that is %s is refused', async (_name, email) => {
  const service = await startTestService();

  const { status, body } = await nativeClient(service).post('/register', { ...ADA, email });

  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(body.details[0].path).toBe('email');
  expect(await service.services.users.list({ limit: 1, offset: 0 })).toEqual([]);
});

test('half a surrogate pair is refused wherever it hides: stored as UTF-8 it would be another text', async () => {
  const service = await startTestService();
  const client = nativeClient(service);

  for (const fields of [{ name: 'A\ud800B' }, { deep: [{ '\udc00': 1 }] }]) {
    const { status, body } = await client.post('/register', { ...ADA, ...fields });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  }
});

const MALLORY = { ...ADA, email: 'mallory@example.com' };

/** Registers with further fields, given as JSON text: an object literal could not hold `__proto__`. */
async function registerWith(service: TestService, fields: string): Promise<void> {
  const body = `${JSON.stringify(MALLORY).slice(0, -1)},${fields}}`;
  const answer = await nativeClient(service).post('/register', body);
  expect(answer.status).toBe(201);
}

async function profileOfMallory(service: TestService) {
  const { client } = await signInAs(service, { email: MALLORY.email });
  return (await client.get('/me')).body;
}

test.each([
  ['a role', '"role":"admin"'],
  ['roles', '"roles":["admin"],"roleNames":["admin"],"user_roles":[{"role_name":"admin"}]'],
  ['a time of verification', '"emailVerifiedAt":1,"email_verified_at":1'],
  ['an id', '"id":"00000000-0000-4000-8000-000000000000","userId":"1","sub":"1"'],
  ['a hash', '"hash":"$2b$10$abc"'],
  ['metadata', '"metadata":{"role":"admin","plan":"gold"},"plan":"gold"'],
  ['times', '"createdAt":0,"created_at":0,"disabledAt":1,"disabled_at":1'],
  ['a prototype', '"__proto__":{"role":"admin","isAdmin":true,"firstName":"Eve"}'],
  ['a constructor', '"constructor":{"prototype":{"role":"admin","isAdmin":true}}'],
  ['names that are no text', '"firstName":{"$ne":null},"lastName":["x"],"name":1'],
])('mass assignment: who registers with %s gets an ordinary account', async (_what, fields) => {
  const service = await startTestService();

  await registerWith(service, fields);

  expect(await profileOfMallory(service)).toEqual({
    sub: expect.stringMatching(/^(?!0{8})[0-9a-f]{8}-/),
    email: MALLORY.email,
    role: 'user',
    loginProvider: 'local',
    isEmailVerified: false,
    isTotpEnabled: false,
    metadata: {},
    roles: ['user'],
    permissions: [],
  });
});

test.each([
  ['a name that is too long', { firstName: 'x'.repeat(201) }, 'REGISTRATION_REJECTED'],
  ['a NUL in a field', { deep: [{ inside: '\0' }] }, 'VALIDATION_FAILED'],
  ['no address', { email: undefined }, 'VALIDATION_FAILED'],
])('%s is refused', async (_what, fields, code) => {
  const service = await startTestService();
  const { status, body } = await nativeClient(service).post('/register', { ...ADA, ...fields });
  expect([status, body.code]).toEqual([400, code]);
});

test('a policy that fails lets nobody in, and what went wrong stays inside', async () => {
  const service = await startTestService();
  vi.spyOn(policy, 'onRegister').mockRejectedValue(new Error('the invitations are out of order'));
  const { status, body } = await nativeClient(service).post('/register', ADA);
  expect([status, body.code]).toEqual([500, 'INTERNAL']);
  expect(JSON.stringify(body)).not.toContain('invitations');
  expect(await service.services.users.findByEmail(ADA.email)).toBeUndefined();
});

test('a new account emits its event once', async () => {
  const service = await startTestService();

  const { body } = await nativeClient(service).post('/register', ADA);
  await nativeClient(service).post('/register', ADA);

  expect(await service.events()).toEqual([
    {
      event: 'identity.user.created',
      timestamp: expect.any(String),
      data: { email: ADA.email, loginProvider: 'local' },
      metadata: { userId: body.userId, correlationId: expect.any(String) },
      origin: { actor: body.userId, ip: '127.0.0.1', userAgent: 'node' },
    },
  ]);
});

test.each([
  'jörg@exämple.com',
  'ада@пример.рф',
  '用户@例え.jp',
  "o'neil+shop@xn--exmple-cua.com",
  'a@b.co',
])('RFC 6531: %s is taken, in one normal form', async (email) => {
  const client = nativeClient(await startTestService());
  expect((await client.post('/register', { ...ADA, email })).status).toBe(201);
  const again = await client.post('/register', {
    ...ADA,
    email: email.normalize('NFD').toUpperCase(),
  });
  expect([again.status, again.body.code]).toEqual([409, 'USER_EXISTS']);
});

test('a name that is left empty is none, as forms send it', async () => {
  const service = await startTestService();

  await nativeClient(service).post('/register', { ...ADA, firstName: 'Ada', lastName: '' });

  const user = await service.services.users.findByEmail(ADA.email);
  expect(user?.metadata).toEqual({ firstName: 'Ada' });
});
