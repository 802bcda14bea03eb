import { expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { startTestService, type TestEnvironment } from './service.js';
import { signInAs } from './sign-in-as.js';

test('events carry the correlation id of the caller', async () => {
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  const id = 'order:42.retry-1_a';
  await nativeClient(service).post('/refresh', { refreshToken }, { 'x-correlation-id': id });
  const rotated = (await service.events()).find(({ event }) => event.endsWith('rotated'));
  expect(rotated?.metadata.correlationId).toBe(id);
});

test.each(['', 'two words', 'a/b', '<script>', 'x'.repeat(129), 'näher'])(
  'the correlation id "%s" is refused: events carry the request id instead',
  async (id) => {
    const service = await startTestService();
    const { refreshToken } = await signInAs(service);
    const headers = { 'x-correlation-id': id };
    const answer = await nativeClient(service).post('/refresh', { refreshToken }, headers);
    const rotated = (await service.events()).find(({ event }) => event.endsWith('rotated'));
    expect(rotated?.metadata.correlationId).toBe(answer.headers.get('x-request-id'));
  },
);

test('OPTIONS names the methods of a path', async () => {
  const client = nativeClient(await startTestService());
  const { status, headers } = await client.send('OPTIONS', '/me');
  expect(status).toBe(204);
  expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  expect(headers.get('x-request-id')).toBeTruthy();
  // RFC 9110 §8.6: not in a 204.
  expect(headers.has('content-length')).toBe(false);
});

test.each<[string, TestEnvironment, string, string]>([
  ['nobody is trusted', {}, '203.0.113.9', '127.0.0.1'],
  ['one proxy is trusted', { TRUST_PROXY: '1' }, '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['a network is trusted', { TRUST_PROXY: '127.0.0.0/8' }, '203.0.113.9', '203.0.113.9'],
  ['another network is trusted', { TRUST_PROXY: '10.0.0.0/8' }, '203.0.113.9', '127.0.0.1'],
  [
    'trusting a network whose proxies append ports',
    { TRUST_PROXY: '127.0.0.0/8,10.0.0.0/8' },
    '203.0.113.7:4711, 10.0.0.2:80',
    '203.0.113.7',
  ],
  [
    'an address has a zone, whose sender chooses its length',
    { TRUST_PROXY: '1' },
    `fe80::1%${'x'.repeat(500)}`,
    '127.0.0.1',
  ],
])('X-Forwarded-For, while %s', async (_name, environment, forwardedFor, address) => {
  const service = await startTestService(environment);
  const { refreshToken, client } = await signInAs(service);
  await client.post('/refresh', { refreshToken }, { 'x-forwarded-for': forwardedFor });
  const { body } = await client.get('/sessions');
  expect(body.sessions[0].ipAddress).toBe(address);
});
