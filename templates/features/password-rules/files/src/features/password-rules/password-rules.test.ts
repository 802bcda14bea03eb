import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { policy } from '../../../test/policy.js';
import { runCommand } from '../../../test/process.js';
import { openLog, startTestService, type TestEnvironment } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { problemByRules } from './feature.js';

const BREACHED = 'a phrase that once was stolen';

/** Starts a server of breached passwords on loopback. */
async function startRanges() {
  const asked: { path: string; padding: unknown }[] = [];
  const state = { asked, status: 200, isSilent: false };
  const hash = createHash('sha1').update(BREACHED).digest('hex').toUpperCase();
  const padded = createHash('sha1').update('only padding').digest('hex').toUpperCase();
  const lines = [hash, padded].map((each, at) => `${each.slice(5)}:${at === 0 ? 42 : 0}`);
  const server = createServer(({ url = '', headers }, response) => {
    asked.push({ path: url, padding: headers['add-padding'] });
    if (!state.isSilent) response.writeHead(state.status).end(lines.join('\r\n'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, { url, hash });
}

async function start(variables: TestEnvironment = {}) {
  const ranges = await startRanges();
  const { log, lines, told } = openLog('warn');
  const named = { SERVICE_NAME: 'Blue Heron', BREACHED_PASSWORDS_URL: ranges.url, ...variables };
  const service = await startTestService(named, { log });
  vi.spyOn(policy, 'passwordProblem').mockImplementation(problemByRules);
  /** The message to a user with the address `lovelace@…` who sets this password. */
  async function problemOf(newPassword: string): Promise<string | undefined> {
    const { client } = await signInAs(service, { email: 'lovelace@example.com' });
    const change = await client.post('/change-password', { currentPassword: '', newPassword });
    await service.services.db.deleteFrom('passwords').execute();
    return change.body.details?.[0].message;
  }
  return { service, ranges, lines, told, problemOf };
}

test.each([
  ['too short', 'sevench', /at least 8/],
  ['short in characters, long in bytes', '🔑🔑🔑🔑', /at least 8/],
  ['common', 'password1', /Many people/],
  ['common in capitals', 'PASSWORD1', /Many people/],
  ['common in full width', 'ｐａｓｓｗｏｒｄ１', /Many people/],
  ["the service's name with a year", 'BlueHeron2026!', /besides your address/],
  ['the address with a digit', 'Lovelace1815', /besides your address/],
  ['breached', BREACHED, /data breach/],
])('a password that is %s is refused', async (_what, password, problem) => {
  const { problemOf } = await start();
  expect(await problemOf(password)).toMatch(problem);
});

test.each([
  'a heron that is blue and kind',
  'only padding',
  '日本語の長い合言葉です',
  '12 x 34 = 408!',
])('%j is accepted: no rule asks for kinds of characters', async (password) => {
  const { problemOf } = await start();
  expect(await problemOf(password)).toBeUndefined();
});

test('only five digits of a hash leave the service, and padding is requested', async () => {
  const { problemOf, ranges } = await start();
  await problemOf(BREACHED);
  expect(ranges.asked).toEqual([{ path: `/range/${ranges.hash.slice(0, 5)}`, padding: 'true' }]);
});

test('an outage of the look-up refuses no password, takes two seconds at most, and is one line in the log', async () => {
  const { problemOf, ranges, lines, told } = await start();
  ranges.status = 503;
  expect(await problemOf(BREACHED)).toBeUndefined();
  expect(told('accepted unchecked')).toBe(1);
  ranges.isSilent = true;
  const limit = AbortSignal.timeout.bind(AbortSignal);
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => limit(100));
  expect(await problemOf(BREACHED)).toBeUndefined();
  expect(timeout).toHaveBeenCalledExactlyOnceWith(2000);
  expect(lines.join()).not.toContain(BREACHED);
});

test('with off nothing is looked up, and PASSWORD_MIN_LENGTH can be set', async () => {
  const off = { BREACHED_PASSWORDS_URL: 'off', PASSWORD_MIN_LENGTH: '15' };
  const { problemOf, ranges } = await start(off);
  expect(await problemOf('fourteen signs')).toMatch(/at least 15/);
  expect(await problemOf(BREACHED)).toBeUndefined();
  expect(ranges.asked).toEqual([]);
});

test('`admin create` applies the policy too, also to a long password', async () => {
  const { service } = await start({ BREACHED_PASSWORDS_URL: 'off' });
  const args = ['create', 'root@example.com', '--password-stdin'];
  const { code, stderr } = await runCommand(service, 'admin', args, 'passwordpassword');
  expect([code, stderr]).toEqual([1, expect.stringContaining('This password is not allowed.')]);
});
