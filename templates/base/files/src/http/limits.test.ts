import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';

test('every answer says how much of the limit is left', async () => {
  const client = nativeClient(await startTestService({ RATE_LIMIT: 'on' }));
  const [first, second] = [await client.get('/me'), await client.get('/me')];
  expect(first.headers.get('ratelimit-limit')).toBe('600');
  expect(first.headers.get('ratelimit-remaining')).toBe('599');
  expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
  expect(second.headers.get('ratelimit-remaining')).toBe('598');
});

test('the 31st refresh of a session within a minute is refused, with the time to wait', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const { client, refreshToken } = await signInAs(service);
  const statuses: number[] = [];
  for (let count = 0; count < 30; count++) {
    statuses.push((await client.post('/refresh', { refreshToken })).status);
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  const { status, headers, body } = await client.post('/refresh', { refreshToken });
  expect(status).toBe(429);
  expect(body).toEqual({ error: expect.any(String), code: 'RATE_LIMITED', success: false });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(headers.get('ratelimit-limit')).toBe('30');
  expect(headers.get('ratelimit-remaining')).toBe('0');
});

test('two instances on one database count together', async () => {
  const one = await startTestService({ RATE_LIMIT: 'on' });
  const two = await startTestService({
    RATE_LIMIT: 'on',
    DATABASE_URL: one.config.DATABASE_URL,
  });
  const { refreshToken } = await signInAs(one);
  const statuses: number[] = [];
  for (let count = 0; count < 31; count++) {
    const client = nativeClient(count % 2 === 0 ? one : two);
    statuses.push((await client.post('/refresh', { refreshToken })).status);
  }
  expect(statuses.slice(0, 30)).not.toContain(429);
  expect(statuses[30]).toBe(429);
});

test('the 601st request of an address within a minute is refused', async () => {
  const client = browser(await startTestService({ RATE_LIMIT: 'on' }));
  const statuses: number[] = [];
  for (let batch = 0; batch < 12; batch++) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.get('/me')));
    statuses.push(...answers.map(({ status }) => status));
  }
  expect(new Set(statuses)).toEqual(new Set([401]));
  const { status, body } = await client.get('/me');
  expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
  // Neither a probe nor the way out is ever closed.
  expect((await client.post('/logout')).status).toBe(200);
});

test('an attacker cannot escape a limit with a forged X-Forwarded-For', async () => {
  const client = nativeClient(await startTestService({ RATE_LIMIT: 'on' }));
  const remaining: (string | null)[] = [];
  for (let host = 1; host <= 3; host++) {
    const forged = { 'x-forwarded-for': `203.0.113.${host}`, 'x-real-ip': `203.0.113.${host}` };
    remaining.push((await client.get('/me', forged)).headers.get('ratelimit-remaining'));
  }
  expect(remaining).toEqual(['599', '598', '597']);
});

test('behind a proxy each client has a limit of its own', async () => {
  const client = nativeClient(await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }));
  const remainingOf = async (address: string) => {
    const { headers } = await client.get('/me', { 'x-forwarded-for': `10.9.9.9, ${address}` });
    return headers.get('ratelimit-remaining');
  };
  expect(await remainingOf('203.0.113.1')).toBe('599');
  expect(await remainingOf('203.0.113.2')).toBe('599');
  expect(await remainingOf('203.0.113.1')).toBe('598');
});

test('an attacker cannot escape a limit with the many addresses of one IPv6 network', async () => {
  const client = nativeClient(await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }));
  const remainingOf = async (address: string) => {
    const { headers } = await client.get('/me', { 'x-forwarded-for': address });
    return headers.get('ratelimit-remaining');
  };
  expect(await remainingOf('2001:db8:1:2::1')).toBe('599');
  expect(await remainingOf('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe('598');
  expect(await remainingOf('2001:DB8:1:2:0:0:0:3')).toBe('597');
  // Neighbours have a limit of their own, and so does everybody whose IPv4 address comes as IPv6.
  expect(await remainingOf('2001:db8:1:3::1')).toBe('599');
  expect(await remainingOf('::ffff:203.0.113.1')).toBe('599');
  expect(await remainingOf('::ffff:203.0.113.2')).toBe('599');
  expect(await remainingOf('203.0.113.2')).toBe('598');
});
