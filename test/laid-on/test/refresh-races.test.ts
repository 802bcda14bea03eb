import { expect, test, vi } from 'vitest';
import { type Answer, browser, nativeClient } from './client.js';
import { closedGate } from './gate.js';
import { startTestService, type TestService } from './service.js';
import { signInAs, signInBrowserAs } from './sign-in-as.js';

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

/** Uses a refresh token; `live` is the token that came back, `code` why none did. */
async function use(service: TestService, refreshToken: string) {
  const { status, body } = await nativeClient(service).post('/refresh', { refreshToken });
  return { status, live: String(body.refreshToken), code: body.code, success: body.success };
}

test('a session does not grow with each refresh: it keeps the tokens that may still come again', async () => {
  const service = await startTestService({ REFRESH_REUSE_WINDOW: '10s' });
  const { refreshToken, sessionId } = await signInAs(service);
  let live = refreshToken;
  for (let nth = 0; nth < 4; nth++) {
    service.advance(10_000);
    live = (await use(service, live)).live;
  }
  const found = await service.services.sessions.findWithAccount(sessionId);
  expect(found?.session.usedRefreshIds).toHaveLength(1);
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

/**
 * Twenty refreshes with one token at the same time, spread over the services: all of them
 * have read the session before any continues, which would hardly ever happen by chance.
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
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  for (const tab of tabs) {
    expect((await tab.patch('/profile', { name: 'Ada' })).status).toBe(200);
    expect((await tab.post('/refresh')).status).toBe(200);
  }
});
