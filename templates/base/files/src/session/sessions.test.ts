import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../test/client.js';
import { startTestService, type TestService } from '../../test/service.js';
import { type SignedIn, signInAs, startSignedIn } from '../../test/sign-in-as.js';

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

test('a session is listed until it expires, and not until it is deleted', async () => {
  const service = await startTestService({ REFRESH_TOKEN_TTL: '2h', ACCESS_TOKEN_TTL: '1h' });
  await signInAs(service, { email: 'ada@example.com' });
  service.advance(2 * 60 * 60 * 1000);
  const { client } = await signInAs(service, { email: 'ada@example.com' });
  expect((await client.get('/sessions')).body.sessions).toHaveLength(1);
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

test('ending all my other sessions leaves this one, and those of others', async () => {
  const service = await startTestService();
  const phone = await signInAs(service, { email: 'ada@example.com' });
  const stolen = await signInAs(service, { email: 'ada@example.com' });
  const eve = await signInAs(service);

  expect((await phone.client.delete('/sessions')).body).toEqual({ success: true });

  expect((await stolen.client.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect((await phone.client.get('/sessions')).body.sessions).toHaveLength(1);
  expect((await eve.client.get('/me')).status).toBe(200);
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
      ...variantsOf('newcomer', '/'),
    ].sort(),
  );
  for (const { maxAge, value, secure } of setCookies) {
    expect([maxAge, value, secure]).toEqual([0, '', true]);
  }
});

const HOUR = 60 * 60 * 1000;

test('a refresh token is exchanged for a new pair', async () => {
  const { service, refreshToken } = await startSignedIn();
  const { status, body } = await nativeClient(service).post('/refresh', { refreshToken });
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['accessToken', 'refreshToken', 'success']);
  expect(body.refreshToken).not.toBe(refreshToken);
  expect((await nativeClient(service, body.accessToken).get('/me')).status).toBe(200);
});

test('a refresh token that was never used ends with REFRESH_TOKEN_TTL', async () => {
  const service = await startTestService({ REFRESH_TOKEN_TTL: '2h' });
  service.stopClock();
  const [punctual, late] = [await signInAs(service), await signInAs(service)];
  const refresh = ({ client, refreshToken }: SignedIn) => client.post('/refresh', { refreshToken });
  service.stopClock(2 * HOUR - 1_000);
  expect((await refresh(punctual)).status).toBe(200);
  service.stopClock(2_000);
  const { status, body } = await refresh(late);
  expect([status, body.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
});

test('a session ends with SESSION_MAX_AGE, however often it is refreshed', async () => {
  const { service, client, refreshToken } = await startSignedIn(
    {},
    { REFRESH_TOKEN_TTL: '1d', SESSION_MAX_AGE: '2d' },
  );
  const tokens = { accessToken: '', refreshToken };
  for (const hours of [20, 20, 7.9]) {
    service.advance(hours * HOUR);
    const { body } = await client.post('/refresh', { refreshToken: tokens.refreshToken });
    expect(body.success).toBe(true);
    Object.assign(tokens, body);
  }
  // The access token would have lived nine minutes longer.
  service.advance(0.1 * HOUR + 1_000);
  expect((await client.post('/refresh', tokens)).body.code).toBe('INVALID_REFRESH_TOKEN');
  expect((await nativeClient(service, tokens.accessToken).get('/me')).status).toBe(401);
});

/** Uses a refresh token; `live` is the token that came back, `code` why none did. */
async function use(service: TestService, refreshToken: string) {
  const { status, body } = await nativeClient(service).post('/refresh', { refreshToken });
  return { status, live: String(body.refreshToken), code: body.code, success: body.success };
}

test('the replay of a rotated token ends the session of thief and victim alike', async () => {
  const { service, client, refreshToken: stolen, sessionId, user } = await startSignedIn();
  const other = await signInAs(service, { email: user.email });
  const { live } = await use(service, stolen);
  service.advance(11_000);

  const replay = await use(service, stolen);
  expect(replay).toMatchObject({ status: 401, code: 'SESSION_REVOKED', success: false });
  expect(await use(service, live)).toMatchObject({ status: 401, code: 'SESSION_REVOKED' });
  expect((await client.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect((await other.client.get('/me')).status).toBe(200);

  const revoked = (await service.events()).filter(({ event }) => event.endsWith('revoked'));
  expect(revoked).toEqual([
    expect.objectContaining({
      event: 'identity.session.revoked',
      data: { sessionId, reason: 'reuse' },
      metadata: expect.objectContaining({ userId: user.id }),
    }),
  ]);
});

test('within the window a used token is answered with the one live token', async () => {
  const { service, refreshToken } = await startSignedIn();
  service.stopClock();
  const first = await use(service, refreshToken);
  service.stopClock(9_000);
  for (const again of [await use(service, refreshToken), await use(service, refreshToken)])
    expect(again).toEqual(first);
  expect((await use(service, first.live)).status).toBe(200);
});

test('the database holds nothing that could be used as a refresh token', async () => {
  const { service, refreshToken } = await startSignedIn();
  const { live } = await use(service, refreshToken);
  const rows = await service.services.db.selectFrom('sessions').selectAll().execute();
  const stored = JSON.stringify(rows);
  for (const token of [refreshToken, live]) {
    for (const part of token.split('.')) expect(stored).not.toContain(part);
  }
});
