import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { signInBrowserAs } from '../../test/sign-in-as.js';

const OURS = 'http://app.test';
const FOREIGN = [
  'http://evil.test',
  'https://app.test',
  'http://app.test:8080',
  'http://app.test.evil.test',
  'http://evil-app.test',
  'null',
  '',
];

test('a preflight of an allowed origin is told what it may send', async () => {
  const client = nativeClient(await startTestService());
  const { status, headers } = await client.send('OPTIONS', '/profile', undefined, {
    origin: OURS,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'content-type,x-csrf-token',
  });
  expect(status).toBe(204);
  expect(headers.get('access-control-allow-origin')).toBe(OURS);
  expect(headers.get('access-control-allow-credentials')).toBe('true');
  expect(headers.get('access-control-allow-methods')).toContain('PATCH');
  const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
  expect(allowed).toEqual(
    expect.arrayContaining(['authorization', 'content-type', 'x-auth-strategy', 'x-csrf-token']),
  );
});

test.each(FOREIGN)('a preflight of the origin "%s" is allowed nothing', async (origin) => {
  const client = nativeClient(await startTestService());
  const { headers } = await client.send('OPTIONS', '/profile', undefined, {
    origin,
    'access-control-request-method': 'PATCH',
  });
  expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('a page of an allowed origin may read every answer, refusals among them', async () => {
  const client = browser(await startTestService());
  for (const path of ['/me', '/nothing', '/refresh']) {
    const { headers } = await client.get(path, { origin: OURS });
    expect(headers.get('access-control-allow-origin')).toBe(OURS);
    expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
  }
});

test.each(FOREIGN)('a request that changes something is refused from "%s"', async (origin) => {
  const { client } = await signInBrowserAs(await startTestService());
  for (const path of ['/refresh', '/logout', '/sessions/cleanup']) {
    const { status, body } = await client.post(path, {}, { origin });
    expect([status, body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  }
  expect((await client.get('/me')).status).toBe(200);
});

test('the service itself is an allowed origin, and so are those of ALLOWED_ORIGINS', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service);
  expect((await client.post('/refresh', {}, { origin: 'http://auth.test' })).status).toBe(200);

  const other = await startTestService({ ALLOWED_ORIGINS: 'https://one.test,https://two.test' });
  const { client: ofOther } = await signInBrowserAs(other);
  for (const origin of ['https://two.test', 'http://auth.test']) {
    expect((await ofOther.post('/refresh', {}, { origin })).status).toBe(200);
  }
  expect((await ofOther.post('/refresh', {}, { origin: OURS })).status).toBe(403);
});
