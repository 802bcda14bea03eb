import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { type SignedIn, signInAs, signInBrowserAs } from '../../test/sign-in-as.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

test('a refresh token is exchanged for a new pair', async () => {
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  const { status, body } = await nativeClient(service).post('/refresh', { refreshToken });
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['accessToken', 'refreshToken', 'success']);
  expect(body.refreshToken).not.toBe(refreshToken);
  expect((await nativeClient(service, body.accessToken).get('/me')).status).toBe(200);
});

test('a browser is told success alone: its tokens are cookies', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  const before = new Map(client.cookies);
  const { status, body, headers } = await client.post('/refresh');
  expect([status, body]).toEqual([200, { success: true }]);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(client.cookies.get('refreshToken')).not.toBe(before.get('refreshToken'));
  expect(client.cookies.get('accessToken')).not.toBe(before.get('accessToken'));
});

test('the token in the body wins over the cookie, even if only the cookie is good', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service, { email: 'ada@example.com' });
  const { refreshToken } = await signInAs(service, { email: 'bob@example.com' });
  expect((await client.post('/refresh', { refreshToken: 'wrong' })).status).toBe(401);
  expect((await client.post('/refresh', { refreshToken })).status).toBe(200);
  expect((await client.get('/me')).body.email).toBe('bob@example.com');
});

test.each<[string, unknown, number, string, Record<string, string>?]>([
  ['no token', {}, 401, 'INVALID_REFRESH_TOKEN'],
  ['nonsense', { refreshToken: 'nonsense' }, 401, 'INVALID_REFRESH_TOKEN'],
  ['a number', { refreshToken: 1 }, 400, 'VALIDATION_FAILED'],
  ['an empty text', { refreshToken: '' }, 400, 'VALIDATION_FAILED'],
  ['an array', [], 400, 'VALIDATION_FAILED'],
  ['broken JSON', '{', 400, 'INVALID_JSON'],
  ['too much', ' '.repeat(200_000), 413, 'BODY_TOO_LARGE'],
  ['a form', 'a=b', 415, 'UNSUPPORTED_MEDIA_TYPE', { 'content-type': 'text/plain' }],
  ['a foreign page', {}, 403, 'ORIGIN_NOT_ALLOWED', { origin: 'http://evil.test' }],
])('a refresh with %s fails with success: false', async (_name, body, status, code, headers) => {
  const service = await startTestService();
  const answer = await browser(service).post('/refresh', body, headers);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(answer.body.success).toBe(false);
});

test('an account that was disabled gets no new tokens', async () => {
  const service = await startTestService();
  const { client, user, refreshToken } = await signInAs(service);
  await service.services.db
    .updateTable('users')
    .set({ disabled_at: 1 })
    .where('id', '=', user.id)
    .execute();
  const { status, body } = await client.post('/refresh', { refreshToken });
  expect(status).toBe(403);
  expect(body).toMatchObject({ code: 'ACCOUNT_DISABLED', success: false });
});

test('a refresh token that was never used ends with REFRESH_TOKEN_TTL', async () => {
  const service = await startTestService({ REFRESH_TOKEN_TTL: '2h' });
  const [punctual, late] = [await signInAs(service), await signInAs(service)];
  const refresh = ({ client, refreshToken }: SignedIn) => client.post('/refresh', { refreshToken });
  service.advance(2 * HOUR - 5_000);
  expect((await refresh(punctual)).status).toBe(200);
  service.advance(10_000);
  const { status, body } = await refresh(late);
  expect([status, body.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
});

test('a session ends with SESSION_MAX_AGE, however often it is refreshed', async () => {
  const service = await startTestService({ REFRESH_TOKEN_TTL: '1d', SESSION_MAX_AGE: '2d' });
  const { client, refreshToken } = await signInAs(service);
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
