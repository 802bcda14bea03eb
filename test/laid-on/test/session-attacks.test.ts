import { expect, test, vi } from 'vitest';
import { disableUser } from '../src/session/end-session.js';
import { nativeClient } from './client.js';
import { closedGate } from './gate.js';
import { startTestService, type TestService } from './service.js';
import { signInAs, signInBrowserAs } from './sign-in-as.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** Uses a refresh token; `live` is the token that came back, `code` why none did. */
async function use(service: TestService, refreshToken: string) {
  const { status, body } = await nativeClient(service).post('/refresh', { refreshToken });
  return { status, live: String(body.refreshToken), code: body.code };
}

test('unbounded lists: the 101st session of a user ends the one that was active longest ago', async () => {
  const service = await startTestService();
  const first = await signInAs(service, { email: 'ada@example.com' });
  const second = await signInAs(service, { email: 'ada@example.com' });
  service.advance(1000);
  const { live } = await use(service, first.refreshToken);
  for (let nth = 0; nth < 98; nth++) await signInAs(service, { email: 'ada@example.com' });
  expect((await use(service, second.refreshToken)).status).toBe(200);
  service.advance(1000);
  const last = await signInAs(service, { email: 'ada@example.com' });
  const { body } = await last.client.get('/sessions');
  expect(body.sessions).toHaveLength(100);
  expect((await use(service, live)).code).toBe('SESSION_REVOKED');
});

test('the window counts from the first use: further uses do not prolong it', async () => {
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  await use(service, refreshToken);
  service.advance(6_000);
  expect((await use(service, refreshToken)).status).toBe(200);
  service.advance(6_000);
  expect((await use(service, refreshToken)).code).toBe('SESSION_REVOKED');
});

test('without a reuse window at most one of twenty parallel refreshes wins', async () => {
  const service = await startTestService({ REFRESH_REUSE_WINDOW: '0s' });
  const { refreshToken } = await signInAs(service);
  // All of them have read the session before any continues, which would hardly happen by chance.
  const { sessions } = service.services;
  const [gate, read] = [closedGate(), sessions.findWithAccount];
  let arrived = 0;
  vi.spyOn(sessions, 'findWithAccount').mockImplementation(async (id) => {
    const found = await read(id);
    arrived += 1;
    if (arrived === 20) gate.open();
    await gate.opened;
    return found;
  });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => nativeClient(service).post('/refresh', { refreshToken })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
  expect(new Set(statuses.filter((status) => status !== 200))).toEqual(new Set([401]));
});

test('the token in the body wins over the cookie, even if only the cookie is good', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service, { email: 'ada@example.com' });
  const { refreshToken } = await signInAs(service, { email: 'bob@example.com' });
  expect((await client.post('/refresh', { refreshToken: 'wrong' })).status).toBe(401);
  expect((await client.post('/refresh', { refreshToken })).status).toBe(200);
  expect((await client.get('/me')).body.email).toBe('bob@example.com');
});

test('the refresh cookie never outlives the session', async () => {
  const service = await startTestService({ REFRESH_TOKEN_TTL: '1d', SESSION_MAX_AGE: '2d' });
  const { client } = await signInBrowserAs(service);
  for (const hours of [20, 20]) {
    service.advance(hours * HOUR);
    await client.post('/refresh');
  }
  const { setCookies } = await client.post('/refresh');
  const { maxAge = 0 } = setCookies.find(({ name }) => name === 'refreshToken') ?? {};
  expect(maxAge * 1000).toBeLessThanOrEqual(2 * DAY - 40 * HOUR);
  expect(maxAge * 1000).toBeGreaterThan(2 * DAY - 41 * HOUR);
});

test('once SESSION_MAX_AGE is lowered, a session that is older gets no tokens that have already expired', async () => {
  const before = await startTestService();
  const { refreshToken } = await signInAs(before);
  before.advance(2 * HOUR);
  const { DATABASE_URL } = before.config;
  const after = await startTestService({
    DATABASE_URL,
    SESSION_MAX_AGE: '1h',
    REFRESH_TOKEN_TTL: '1h',
  });
  const { status, code } = await use(after, refreshToken);
  expect([status, code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
});

test('a refresh notes where and when the session was last active', async () => {
  const service = await startTestService();
  const { client, refreshToken } = await signInAs(service);
  const [before] = (await client.get('/sessions')).body.sessions;
  service.advance(60_000);
  await client.post('/refresh', { refreshToken }, { 'user-agent': 'another browser' });
  const [after] = (await client.get('/sessions')).body.sessions;
  expect(after.userAgent).toBe('another browser');
  expect(after.createdAt).toBe(before.createdAt);
  expect(Date.parse(after.lastActiveAt)).toBeGreaterThanOrEqual(
    Date.parse(before.lastActiveAt) + 60_000,
  );
});

test('without a credential the answer is INVALID_TOKEN', async () => {
  const client = nativeClient(await startTestService());
  const answers = [
    await client.get('/me'),
    await client.patch('/profile', {}),
    await client.get('/sessions'),
    await client.delete('/sessions/x'),
    await client.post('/sessions/cleanup'),
  ];
  for (const { status, body } of answers) {
    expect([status, body.code]).toEqual([401, 'INVALID_TOKEN']);
  }
});

async function removeUserRow({ services }: TestService, id: string): Promise<void> {
  await services.db.deleteFrom('users').where('id', '=', id).execute();
}

test('with SESSION_CHECK=refresh the token of a deleted user is refused too', async () => {
  const service = await startTestService({ SESSION_CHECK: 'refresh' });
  const { client, user } = await signInAs(service);
  await removeUserRow(service, user.id);
  expect((await client.get('/me')).body.code).toBe('INVALID_TOKEN');
});

test('with SESSION_CHECK=refresh a disabled user is out at once', async () => {
  const service = await startTestService({ SESSION_CHECK: 'refresh' });
  const { client, user } = await signInAs(service);
  await disableUser(service.services, user.id, {});
  const { status, body } = await client.get('/me');
  expect([status, body.code]).toEqual([401, 'SESSION_REVOKED']);
});

test('a user agent of any length is kept, cut short', async () => {
  const service = await startTestService();
  const { client, refreshToken } = await signInAs(service);
  await client.post('/refresh', { refreshToken }, { 'user-agent': 'x'.repeat(5000) });
  const [{ userAgent }] = (await client.get('/sessions')).body.sessions;
  expect(userAgent).toBe('x'.repeat(512));
});

test('a refresh token in the body ends the session, even after the access token has expired', async () => {
  const service = await startTestService();
  const { client, refreshToken } = await signInAs(service);
  service.advance(60 * 60_000);
  expect((await client.post('/logout', { refreshToken })).status).toBe(200);
  expect((await client.post('/refresh', { refreshToken })).body.code).toBe('SESSION_REVOKED');
});

test('credentials of several sessions end them all', async () => {
  const service = await startTestService();
  const [one, two] = [await signInAs(service), await signInAs(service)];
  await one.client.post('/logout', { refreshToken: two.refreshToken });
  for (const { client } of [one, two]) {
    expect((await client.get('/me')).body.code).toBe('SESSION_REVOKED');
  }
});

test('the other sessions of the user go on', async () => {
  const service = await startTestService();
  const [phone, laptop] = [
    await signInAs(service, { email: 'ada@example.com' }),
    await signInAs(service, { email: 'ada@example.com' }),
  ];
  await phone.client.post('/logout');
  expect((await laptop.client.get('/me')).status).toBe(200);
});

test('logging out twice is as good as once', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service);
  const answers = [await client.post('/logout'), await client.post('/logout')];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const logouts = (await service.events()).filter(({ event }) => event.endsWith('logout'));
  expect(logouts).toHaveLength(1);
});

test('it deletes what has expired, says how much, and leaves the rest', async () => {
  const service = await startTestService();
  const { user: ada } = await signInAs(service);
  await signInAs(service, { email: ada.email });
  const token = await service.services.oneTimeTokens.issue('example', ada.id, DAY);
  service.advance(8 * DAY);
  const admin = await signInAs(service, { role: 'admin' });

  const { status, body } = await admin.client.post('/sessions/cleanup');
  expect([status, body]).toEqual([200, { success: true, deleted: 2 }]);
  expect((await admin.client.post('/sessions/cleanup')).body.deleted).toBe(0);
  expect((await admin.client.get('/me')).status).toBe(200);

  const { db } = service.services;
  const sessions = await db.selectFrom('sessions').select('id').execute();
  expect(sessions).toEqual([{ id: admin.sessionId }]);
  expect(await db.selectFrom('one_time_tokens').selectAll().execute()).toEqual([]);
  expect(await service.services.oneTimeTokens.consume('example', token)).toBeUndefined();
});

test('a session that is over its limit leaves the other sessions alone', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const [busy, calm] = [await signInAs(service), await signInAs(service)];
  for (let count = 0; count < 31; count++) {
    await busy.client.post('/refresh', { refreshToken: busy.refreshToken });
  }
  const { status } = await calm.client.post('/refresh', { refreshToken: calm.refreshToken });
  expect(status).toBe(200);
});

test('each session that expired is an event', async () => {
  const service = await startTestService();
  const { sessionId, user } = await signInAs(service);
  service.advance(8 * DAY);
  const admin = await signInAs(service, { role: 'admin' });
  await admin.client.post('/sessions/cleanup', {}, { 'x-correlation-id': 'nightly' });
  const expired = (await service.events()).filter(({ event }) => event.endsWith('expired'));
  expect(expired).toEqual([
    expect.objectContaining({
      event: 'identity.session.expired',
      data: { sessionId },
      metadata: { userId: user.id, correlationId: 'nightly' },
    }),
  ]);
});
