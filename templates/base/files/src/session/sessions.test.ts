import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { signInAs, signInBrowserAs, someRequest } from '../../test/sign-in-as.js';
import { randomId } from '../process/random.js';
import { deleteExpiredSessions } from './end-session.js';
import { startSession } from './finish-login.js';

const DAY = 24 * 60 * 60 * 1000;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('users see their sessions, and which of them is the current one', async () => {
  const service = await startTestService();
  const phone = await signInAs(service, { email: 'ada@example.com' });
  const laptop = await signInAs(service, { email: 'ada@example.com' });
  await signInAs(service, { email: 'eve@example.com' });
  const { status, body } = await phone.client.get('/sessions');
  expect(status).toBe(200);
  expect(body.sessions).toHaveLength(2);
  const current = body.sessions.find(
    ({ handle }: { handle: string }) => handle === phone.sessionId,
  );
  expect(current).toEqual({
    sessionHandle: phone.sessionId,
    handle: phone.sessionId,
    createdAt: expect.stringMatching(ISO_TIME),
    lastActiveAt: expect.stringMatching(ISO_TIME),
    expiresAt: expect.stringMatching(ISO_TIME),
    userAgent: 'test',
    ipAddress: '127.0.0.1',
    isCurrent: true,
  });
  const other = body.sessions.find(({ handle }: { handle: string }) => handle === laptop.sessionId);
  expect(other.isCurrent).toBe(false);
});

test('ending another session of mine leaves this one', async () => {
  const service = await startTestService();
  const phone = await signInAs(service, { email: 'ada@example.com' });
  const stolen = await signInAs(service, { email: 'ada@example.com' });
  const { status, body } = await phone.client.delete(`/sessions/${stolen.sessionId}`);
  expect([status, body]).toEqual([200, { success: true }]);
  expect((await stolen.client.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect((await phone.client.get('/sessions')).body.sessions).toHaveLength(1);
});

test("somebody else's session is as unknown as one that never was", async () => {
  const service = await startTestService();
  const [ada, eve] = [await signInAs(service), await signInAs(service, { role: 'admin' })];
  for (const handle of [ada.sessionId, 'never-was']) {
    const { status, body } = await eve.client.delete(`/sessions/${handle}`);
    expect([status, body]).toEqual([
      404,
      { error: 'You have no such session.', code: 'SESSION_NOT_FOUND' },
    ]);
  }
  expect((await ada.client.get('/me')).status).toBe(200);
});

test('twenty parallel requests to end one session: one does, the others find none', async () => {
  const service = await startTestService();
  const phone = await signInAs(service, { email: 'ada@example.com' });
  const laptop = await signInAs(service, { email: 'ada@example.com' });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => phone.client.delete(`/sessions/${laptop.sessionId}`)),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
  const revoked = (await service.events()).filter(({ event }) => event.endsWith('revoked'));
  expect(revoked).toHaveLength(1);
});

test.each<[string, (tokens: { accessToken: string; refreshToken: string }) => object]>([
  ['a bearer token', ({ accessToken }) => ({ authorization: `Bearer ${accessToken}` })],
  ['the access cookie', ({ accessToken }) => ({ cookie: `accessToken=${accessToken}` })],
  ['the refresh cookie', ({ refreshToken }) => ({ cookie: `refreshToken=${refreshToken}` })],
  [
    'a vouched-for cookie',
    ({ refreshToken }) => ({ cookie: `__Secure-refreshToken=${refreshToken}` }),
  ],
])('%s alone ends the session', async (_name, headersOf) => {
  const service = await startTestService();
  const signedIn = await signInAs(service);
  const { status, body } = await browser(service).post('/logout', {}, { ...headersOf(signedIn) });
  expect([status, body]).toEqual([200, { success: true }]);
  expect((await signedIn.client.get('/me')).body.code).toBe('SESSION_REVOKED');
});

test.each<[string, (tokens: { accessToken: string; refreshToken: string }) => object]>([
  ['a bearer token', ({ accessToken }) => ({ authorization: `Bearer ${accessToken}` })],
  ['an access cookie', ({ accessToken }) => ({ cookie: `accessToken=${accessToken}` })],
  ['a refresh cookie', ({ refreshToken }) => ({ cookie: `refreshToken=${refreshToken}` })],
])('%s that has merely expired still ends its session', async (_name, headersOf) => {
  const service = await startTestService();
  const signedIn = await signInAs(service);
  service.advance(5 * DAY);
  const refreshed = await nativeClient(service).post('/refresh', signedIn);
  service.advance(5 * DAY);
  await browser(service).post('/logout', {}, { ...headersOf(signedIn) });
  const { body } = await nativeClient(service).post('/refresh', refreshed.body);
  expect(body.code).toBe('SESSION_REVOKED');
});

test('attack: an expired token that is forged, or of another type, ends nothing', async () => {
  const service = await startTestService();
  const { client, accessToken, refreshToken } = await signInAs(service);
  const [header, claims] = accessToken.split('.');
  service.advance(DAY);
  for (const token of [`${header}.${claims}.forged`, refreshToken]) {
    await browser(service).post('/logout', {}, { authorization: `Bearer ${token}` });
  }
  expect((await client.post('/refresh', { refreshToken })).status).toBe(200);
});

test.each<[string, unknown, Record<string, string>?]>([
  ['nothing', undefined],
  ['broken JSON', '{"refreshToken":'],
  ['an array', []],
  ['a wrong type', { refreshToken: { $ne: null } }],
  ['a forged token', { refreshToken: 'a.b.c' }],
  ['a form', 'refreshToken=x', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['more than BODY_LIMIT', ' '.repeat(200_000)],
  ['a wrong CSRF token', {}, { 'x-csrf-token': 'wrong' }],
  ['a wrong bearer token', {}, { authorization: 'Bearer wrong' }],
])('logout never refuses: not %s, and what is good ends', async (_name, body, headers) => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service);
  const { accessToken } = Object.fromEntries(client.cookies);
  const { status, body: answer } = await client.send('POST', '/logout', body, headers);
  expect([status, answer]).toEqual([200, { success: true }]);
  expect([...client.cookies]).toEqual([]);
  const after = await nativeClient(service, accessToken).get('/me');
  expect(after.body.code).toBe('SESSION_REVOKED');
});

test('logout CSRF: a foreign page logs nobody out', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  const { status, body } = await client.post('/logout', {}, { origin: 'http://evil.test' });
  expect([status, body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  expect((await client.get('/me')).status).toBe(200);
});

test('every variant of every cookie is cleared', async () => {
  const service = await startTestService({
    BASE_URL: 'https://auth.example.com',
    COOKIE_DOMAIN: 'example.com',
  });
  const { setCookies } = await browser(service).post('/logout');
  const cleared = setCookies.map(({ name, path, domain = 'host' }) => `${name} ${path} ${domain}`);
  const variantsOf = (kind: string, path: string) => [
    `__Host-${kind} / host`,
    ...[`__Secure-${kind}`, kind].flatMap((name) => [
      `${name} ${path} example.com`,
      `${name} ${path} host`,
    ]),
  ];
  expect(cleared.sort()).toEqual(
    [
      ...variantsOf('accessToken', '/'),
      ...variantsOf('refreshToken', '/auth'),
      ...variantsOf('csrf-token', '/'),
    ].sort(),
  );
  for (const { maxAge, value, secure } of setCookies) {
    expect([maxAge, value, secure]).toEqual([0, '', true]);
  }
});

test('it finds the expired among more sessions than it looks at in one go', async () => {
  const service = await startTestService();
  const { db } = service.services;
  const { sessionId } = await signInAs(service);
  const row = await db
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  const copies = Array.from({ length: 1_200 }, (_, index) => ({
    ...row,
    id: randomId(),
    expires_at: index % 100 === 0 ? 1 : row.expires_at,
  }));
  for (let at = 0; at < copies.length; at += 100) {
    await db
      .insertInto('sessions')
      .values(copies.slice(at, at + 100))
      .execute();
  }
  expect(await deleteExpiredSessions(service.services)).toBe(12);
  const left = await db.selectFrom('sessions').select('expires_at').execute();
  expect(left).toHaveLength(1_189);
  expect(left.some(({ expires_at }) => expires_at === 1)).toBe(false);
});

test('of two instances that clean up at once, only one tells of a session', async () => {
  const service = await startTestService();
  const other = await startTestService({ DATABASE_URL: service.config.DATABASE_URL });
  for (let count = 0; count < 10; count += 1) await signInAs(service);
  service.advance(8 * DAY);
  const instances = [service, other, service, other];
  const deleted = await Promise.all(
    instances.map(({ services }) => deleteExpiredSessions(services)),
  );
  expect(deleted.reduce((sum, count) => sum + count)).toBe(10);
});

test('each session that expired is an event', async () => {
  const service = await startTestService();
  const { sessionId, user } = await signInAs(service);
  service.advance(8 * DAY);
  const admin = await signInAs(service, { role: 'admin' });
  await admin.client.post('/sessions/cleanup');
  const expired = (await service.events()).filter(({ event }) => event.endsWith('expired'));
  expect(expired).toEqual([
    expect.objectContaining({
      event: 'identity.session.expired',
      data: { sessionId },
      metadata: expect.objectContaining({ userId: user.id }),
    }),
  ]);
});

test('race: an account that is deleted while it signs in gets no session', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  await service.services.users.delete(user.id);
  const late = startSession(service.services, someRequest(), user.id, 'local');
  await expect(late).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
});
