import { expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { startTestService } from './service.js';
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
