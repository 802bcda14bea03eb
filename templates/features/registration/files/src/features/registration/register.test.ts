import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../../test/client.js';
import { signInWithPassword } from '../../../test/password-account.js';
import { startSingleInstance, startTestService } from '../../../test/service.js';

const ADA = { email: 'ada@example.com', password: 'correct horse battery staple' };
const HOUR = 3_600_000;

test('whoever registers has an account, and signs in to it', async () => {
  const service = await startTestService();

  const { status, body } = await nativeClient(service).post('/register', {
    ...ADA,
    firstName: 'Ada',
    lastName: 'Lovelace',
  });

  expect([status, body]).toEqual([201, { success: true, userId: expect.any(String) }]);
  const client = await signInWithPassword(service, ADA);
  expect((await client.get('/me')).body).toEqual({
    sub: body.userId,
    email: 'ada@example.com',
    role: 'user',
    loginProvider: 'local',
    isEmailVerified: false,
    isTotpEnabled: false,
    metadata: { firstName: 'Ada', lastName: 'Lovelace' },
    roles: ['user'],
    permissions: [],
  });
});

test('a registration signs nobody in: it sets no session cookie and hands out no token', async () => {
  const service = await startTestService();
  const client = browser(service);

  await client.post('/register', ADA);

  expect([...client.cookies.keys()]).toEqual(['csrf-token']);
  expect((await client.get('/me')).status).toBe(401);
});

test('listeners are told of the new account, once', async () => {
  const service = await startTestService();

  const { body } = await nativeClient(service).post('/register', ADA);
  await nativeClient(service).post('/register', ADA);

  expect(await service.events()).toEqual([
    {
      event: 'identity.user.created',
      timestamp: expect.any(String),
      data: { email: ADA.email, loginProvider: 'local' },
      metadata: { userId: body.userId, correlationId: expect.any(String) },
      origin: { actorId: body.userId, ip: '127.0.0.1', userAgent: 'node' },
    },
  ]);
});

test.each([
  ['as it is', 'ada@example.com'],
  ['in capitals', 'ADA@Example.COM'],
  ['between blanks', ' ada@example.com\n'],
  ['in full-width letters', 'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ'],
])('an address is registered once: %s, it is taken', async (_spelling, email) => {
  const service = await startTestService();
  const client = nativeClient(service);
  await client.post('/register', ADA);

  const second = await client.post('/register', { email, password: 'the password of a thief' });

  expect([second.status, second.body.code]).toEqual([409, 'USER_EXISTS']);
  await signInWithPassword(service, ADA);
});

test('race: of twenty parallel registrations of one address exactly one makes the account', async () => {
  const service = await startTestService();
  const rivals = Array.from({ length: 20 }, (_, nth) => ({
    email: nth % 2 === 0 ? 'ada@example.com' : 'ADA@EXAMPLE.COM',
    password: `password of rival ${nth}`,
  }));

  const answers = await Promise.all(
    rivals.map((rival) => nativeClient(service).post('/register', rival)),
  );

  const winner = answers.findIndex(({ status }) => status === 201);
  const losers = answers.toSpliced(winner, 1);
  expect(losers.map(({ status, body }) => [status, body.code])).toEqual(
    Array(19).fill([409, 'USER_EXISTS']),
  );
  expect(await service.services.users.list({ limit: 10, offset: 0 })).toHaveLength(1);
  await signInWithPassword(service, rivals[winner] ?? ADA);
});

test('an account that cannot be made whole is not made at all, and nobody is told of it', async () => {
  const service = await startTestService();
  const { db, users } = service.services;
  // The last thing that a registration writes.
  await db.schema.dropTable('user_roles').execute();

  const { status, body } = await nativeClient(service).post('/register', ADA);

  expect([status, body.code]).toEqual([500, 'INTERNAL']);
  expect(await users.findByEmail(ADA.email)).toBeUndefined();
  expect(await db.selectFrom('passwords').selectAll().execute()).toEqual([]);
  expect(await service.events()).toEqual([]);
  expect(await service.mails()).toEqual([]);
});

test('REGISTRATION=off takes the route away', async () => {
  const service = await startTestService({ REGISTRATION: 'off' });

  const { status, body } = await nativeClient(service).post('/register', ADA);

  expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
});

test('mass registration: an address of the network gets twenty tries an hour', async () => {
  const service = await startSingleInstance({ RATE_LIMIT: 'on' });
  const client = nativeClient(service);
  // The limit counts tries: one account and then nothing but conflicts fill it as well.
  const register = () => client.post('/register', ADA);

  const answers = await Promise.all(Array.from({ length: 22 }, register));

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(3500);

  service.advance(HOUR + 1000);
  expect((await register()).status).toBe(409);
});

test('login CSRF: a page of another origin cannot register its visitors', async () => {
  const service = await startTestService();

  const { status, body } = await browser(service).post('/register', ADA, {
    origin: 'https://evil.example',
  });

  expect([status, body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
});
