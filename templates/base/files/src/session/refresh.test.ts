import { expect, test, vi } from 'vitest';
import { type Answer, browser, nativeClient } from '../../test/client.js';
import { closedGate } from '../../test/gate.js';
import { startTestService, type TestService } from '../../test/service.js';
import { type SignedIn, signInAs, signInBrowserAs } from '../../test/sign-in-as.js';

const HOUR = 60 * 60 * 1000;

test('a refresh token is exchanged for a new pair', async () => {
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  const { status, body } = await nativeClient(service).post('/refresh', { refreshToken });
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['accessToken', 'refreshToken', 'success']);
  expect(body.refreshToken).not.toBe(refreshToken);
  expect((await nativeClient(service, body.accessToken).get('/me')).status).toBe(200);
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

/** Uses a refresh token; `live` is the token that came back, `code` why none did. */
async function use(service: TestService, refreshToken: string) {
  const { status, body } = await nativeClient(service).post('/refresh', { refreshToken });
  return { status, live: String(body.refreshToken), code: body.code, success: body.success };
}

test('the replay of a rotated token ends the session of thief and victim alike', async () => {
  const service = await startTestService();
  const { client, refreshToken: stolen, sessionId, user } = await signInAs(service);
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
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  const first = await use(service, refreshToken);
  service.advance(9_000);
  for (const again of [await use(service, refreshToken), await use(service, refreshToken)]) {
    expect(again).toEqual(first);
  }
  expect((await use(service, first.live)).status).toBe(200);
});

test('after A→B→C each has a window of its own', async () => {
  const service = await startTestService();
  const { refreshToken: a } = await signInAs(service);
  const { live: b } = await use(service, a);
  service.advance(8_000);
  const { live: c } = await use(service, b);
  service.advance(4_000);
  expect((await use(service, b)).live).toBe(c);
  expect((await use(service, a)).code).toBe('SESSION_REVOKED');
});

test('with REFRESH_REUSE_WINDOW=0s the second use ends the session at once', async () => {
  const service = await startTestService({ REFRESH_REUSE_WINDOW: '0s' });
  const { refreshToken } = await signInAs(service);
  const { live } = await use(service, refreshToken);
  expect((await use(service, refreshToken)).code).toBe('SESSION_REVOKED');
  expect((await use(service, live)).code).toBe('SESSION_REVOKED');
});

test('the database holds nothing that could be used as a refresh token', async () => {
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  const { live } = await use(service, refreshToken);
  const rows = await service.services.db.selectFrom('sessions').selectAll().execute();
  const stored = JSON.stringify(rows);
  for (const token of [refreshToken, live]) {
    for (const part of token.split('.')) expect(stored).not.toContain(part);
  }
});

/**
 * Twenty refreshes with one token at the same time, in turn at each of the services: all of them
 * have read the session before any goes on, which chance alone would hardly ever bring about.
 */
function twentyRefreshes(services: TestService[], refreshToken: string): Promise<Answer[]> {
  meetAfterReading(services, 20);
  return Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const [first, second = first] = services;
      const service = index % 2 === 0 ? first : second;
      if (!service) throw new Error('No service.');
      return nativeClient(service).post('/refresh', { refreshToken });
    }),
  );
}

function meetAfterReading(services: TestService[], count: number): void {
  let arrived = 0;
  const gate = closedGate();
  for (const { services: parts } of services) {
    const read = parts.sessions.findWithAccount;
    vi.spyOn(parts.sessions, 'findWithAccount').mockImplementation(async (id) => {
      const found = await read(id);
      arrived += 1;
      if (arrived >= count) gate.open();
      await gate.opened;
      return found;
    });
  }
}

const tokensOf = (answers: Answer[]) => new Set(answers.map(({ body }) => body.refreshToken));
const statusesOf = (answers: Answer[]) => new Set(answers.map(({ status }) => status));

test('twenty parallel refreshes at two instances lead to one live token', async () => {
  const one = await startTestService();
  const two = await startTestService({ DATABASE_URL: one.config.DATABASE_URL });
  const { client, refreshToken } = await signInAs(one);
  const answers = await twentyRefreshes([one, two], refreshToken);
  expect(statusesOf(answers)).toEqual(new Set([200]));
  const [live, ...others] = tokensOf(answers);
  expect(others).toEqual([]);
  expect((await client.get('/me')).status).toBe(200);
  expect((await nativeClient(two).post('/refresh', { refreshToken: live })).status).toBe(200);
});

test('twenty parallel refreshes rotate the token once', async () => {
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  await twentyRefreshes([service], refreshToken);
  const rotations = (await service.events()).filter(({ event }) => event.endsWith('rotated'));
  expect(rotations).toHaveLength(1);
});

test('a logout amid twenty refreshes ends the session for good', async () => {
  const service = await startTestService();
  const { client, refreshToken } = await signInAs(service);
  const [answers] = await Promise.all([
    twentyRefreshes([service], refreshToken),
    client.post('/logout'),
  ]);
  for (const { status } of answers) expect([200, 401]).toContain(status);
  const tokens = tokensOf(answers.filter(({ status }) => status === 200));
  for (const token of [refreshToken, ...tokens]) {
    const { body } = await nativeClient(service).post('/refresh', { refreshToken: token });
    expect(body.code).toBe('SESSION_REVOKED');
  }
});

test('two tabs that refresh at the same time are both signed in afterwards', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service);
  const tabs = [browser(service), browser(service)];
  for (const tab of tabs) {
    for (const [name, value] of client.cookies) tab.cookies.set(name, value);
  }
  meetAfterReading([service], 2);
  const answers = await Promise.all(tabs.map((tab) => tab.post('/refresh')));
  expect(statusesOf(answers)).toEqual(new Set([200]));
  for (const tab of tabs) {
    expect((await tab.patch('/profile', { name: 'Ada' })).status).toBe(200);
    expect((await tab.post('/refresh')).status).toBe(200);
  }
});
