import { expect, test } from 'vitest';
import { nativeClient } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';
import { session } from '../session/feature.js';
import { httpLimits } from './limits.js';

const { points } = httpLimits.perIp;
const { points: refreshes, seconds } = session.limits.refreshOfSession;

test('every answer says how much of the limit is left', async () => {
  const client = nativeClient(await startTestService({ RATE_LIMIT: 'on' }));
  const [first, second] = [await client.get('/me'), await client.get('/me')];
  expect(first.headers.get('ratelimit-limit')).toBe(String(points));
  expect(first.headers.get('ratelimit-remaining')).toBe(String(points - 1));
  expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
  expect(second.headers.get('ratelimit-remaining')).toBe(String(points - 2));
});

test('a refresh past the limit of its session is refused, with the time to wait', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const { client, refreshToken } = await signInAs(service);
  const statuses: number[] = [];
  for (let count = 0; count < refreshes; count++) {
    statuses.push((await client.post('/refresh', { refreshToken })).status);
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  const { status, headers, body } = await client.post('/refresh', { refreshToken });
  expect(status).toBe(429);
  expect(body).toEqual({ error: expect.any(String), code: 'RATE_LIMITED', success: false });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(seconds);
  expect(headers.get('ratelimit-limit')).toBe(String(refreshes));
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
  for (let count = 0; count <= refreshes; count++) {
    const client = nativeClient(count % 2 === 0 ? one : two);
    statuses.push((await client.post('/refresh', { refreshToken })).status);
  }
  expect(statuses.slice(0, refreshes)).not.toContain(429);
  expect(statuses[refreshes]).toBe(429);
});

test('an attacker cannot escape a limit with a forged X-Forwarded-For', async () => {
  const client = nativeClient(await startTestService({ RATE_LIMIT: 'on' }));
  const remaining: (string | null)[] = [];
  for (let host = 1; host <= 3; host++) {
    const forged = { 'x-forwarded-for': `203.0.113.${host}`, 'x-real-ip': `203.0.113.${host}` };
    remaining.push((await client.get('/me', forged)).headers.get('ratelimit-remaining'));
  }
  expect(remaining).toEqual([1, 2, 3].map((count) => String(points - count)));
});

test('behind a proxy each client has a limit of its own', async () => {
  const client = nativeClient(await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }));
  const remainingOf = async (address: string) => {
    const { headers } = await client.get('/me', { 'x-forwarded-for': `10.9.9.9, ${address}` });
    return headers.get('ratelimit-remaining');
  };
  expect(await remainingOf('203.0.113.1')).toBe(String(points - 1));
  expect(await remainingOf('203.0.113.2')).toBe(String(points - 1));
  expect(await remainingOf('203.0.113.1')).toBe(String(points - 2));
});

test('an attacker cannot escape a limit with the many addresses of one IPv6 network', async () => {
  const client = nativeClient(await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }));
  const remainingOf = async (address: string) => {
    const { headers } = await client.get('/me', { 'x-forwarded-for': address });
    return headers.get('ratelimit-remaining');
  };
  expect(await remainingOf('2001:db8:1:2::1')).toBe(String(points - 1));
  expect(await remainingOf('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(String(points - 2));
  expect(await remainingOf('2001:DB8:1:2:0:0:0:3')).toBe(String(points - 3));
  // Neighbours have a limit of their own, and so does everybody whose IPv4 address comes as IPv6.
  expect(await remainingOf('2001:db8:1:3::1')).toBe(String(points - 1));
  expect(await remainingOf('::ffff:203.0.113.1')).toBe(String(points - 1));
  expect(await remainingOf('::ffff:203.0.113.2')).toBe(String(points - 1));
  expect(await remainingOf('203.0.113.2')).toBe(String(points - 2));
});
