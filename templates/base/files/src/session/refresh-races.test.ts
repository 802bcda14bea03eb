import { expect, test, vi } from 'vitest';
import { type Answer, browser, nativeClient } from '../../test/client.js';
import { closedGate } from '../../test/gate.js';
import { startSingleInstance, type TestService } from '../../test/service.js';
import { signInAs, signInBrowserAs } from '../../test/sign-in-as.js';

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

test('twenty parallel refreshes with one token lead to one live token', async () => {
  const service = await startSingleInstance();
  const { client, refreshToken } = await signInAs(service);
  const answers = await twentyRefreshes([service], refreshToken);
  expect(statusesOf(answers)).toEqual(new Set([200]));
  const [live, ...others] = tokensOf(answers);
  expect(others).toEqual([]);
  expect((await client.get('/me')).status).toBe(200);
  expect((await client.post('/refresh', { refreshToken: live })).status).toBe(200);
});

test('twenty parallel refreshes at two instances lead to one live token', async () => {
  const one = await startSingleInstance();
  const two = await startSingleInstance({ DATABASE_URL: one.config.DATABASE_URL });
  const { client, refreshToken } = await signInAs(one);
  const answers = await twentyRefreshes([one, two], refreshToken);
  expect(statusesOf(answers)).toEqual(new Set([200]));
  const [live, ...others] = tokensOf(answers);
  expect(others).toEqual([]);
  expect((await client.get('/me')).status).toBe(200);
  expect((await nativeClient(two).post('/refresh', { refreshToken: live })).status).toBe(200);
});

test('twenty parallel refreshes rotate the token once', async () => {
  const service = await startSingleInstance();
  const { refreshToken } = await signInAs(service);
  await twentyRefreshes([service], refreshToken);
  const rotations = (await service.events()).filter(({ event }) => event.endsWith('rotated'));
  expect(rotations).toHaveLength(1);
});

test('without a reuse window at most one of twenty parallel refreshes wins', async () => {
  const service = await startSingleInstance({ REFRESH_REUSE_WINDOW: '0s' });
  const { refreshToken } = await signInAs(service);
  const answers = await twentyRefreshes([service], refreshToken);
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  const refusals = answers.filter(({ status }) => status !== 200);
  expect(statusesOf(refusals)).toEqual(new Set([401]));
});

test('a logout amid twenty refreshes ends the session for good', async () => {
  const service = await startSingleInstance();
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
  const service = await startSingleInstance();
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
