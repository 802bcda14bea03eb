import { expect, test } from 'vitest';
import { nativeClient } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';
import { requestText, sendBytes } from '../../test/wire.js';

test.each([
  '/',
  '/me',
  '/auth',
  '/auth/',
  '/auth/nothing',
  '/auth/me/',
  '/AUTH/ME',
  '//auth/me',
  '/auth/me/more',
  '/auth/sessions/a/b',
  '/auth/%6de%2f',
  '/.env',
])('there is nothing at %s', async (path) => {
  const service = await startTestService();
  const head = ['Connection: close'];
  const [answer] = await sendBytes(service, requestText(`GET ${path}`, head));
  expect(answer?.status).toBe(404);
  expect(JSON.parse(answer?.body ?? '')).toEqual({
    error: expect.any(String),
    code: 'NOT_FOUND',
  });
});

test.each(['%', '%zz', '%ff', '%c3%28', '%E0%A4%A'])(
  'a path with the broken encoding %s is no path',
  async (handle) => {
    const { client } = await signInAs(await startTestService());
    const { status, body } = await client.delete(`/sessions/${handle}`);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  },
);

test.each([
  ['a NUL', '%00'],
  ['a line break', '%0d%0aX-Injected:%20yes'],
  ['SQL', "'%20or%20'1'='1"],
  ['a path upwards', '..%2f..%2fetc%2fpasswd'],
  ['a key as an emoji', '%F0%9F%94%91'],
  ['four thousand characters', 'x'.repeat(4000)],
  ['the name of a prototype', '__proto__'],
])('%s in a path parameter is an unknown handle', async (_name, handle) => {
  const { client } = await signInAs(await startTestService());
  const { status, body, headers } = await client.delete(`/sessions/${handle}`);
  expect([status, body.code]).toEqual([404, 'SESSION_NOT_FOUND']);
  expect(headers.has('x-injected')).toBe(false);
});

test.each([
  ['POST', '/me', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/profile', 'PATCH, OPTIONS'],
  ['GET', '/refresh', 'POST, OPTIONS'],
  ['HEAD', '/refresh', 'POST, OPTIONS'],
  ['PUT', '/sessions/cleanup', 'POST, OPTIONS'],
  ['PROPFIND', '/sessions', 'GET, HEAD, OPTIONS'],
])(
  '%s %s is not a method of that path; Allow names those that are',
  async (method, path, allow) => {
    const client = nativeClient(await startTestService());
    const { status, body, headers } = await client.send(method, path);
    expect(status).toBe(405);
    if (method !== 'HEAD') expect(body.code).toBe('METHOD_NOT_ALLOWED');
    expect(headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort());
  },
);

test('TRACE echoes nothing', async () => {
  const service = await startTestService();
  const head = ['X-Secret: never-to-be-seen', 'Connection: close'];
  const [answer] = await sendBytes(service, requestText('TRACE /auth/me', head));
  expect(answer?.status).toBe(405);
  expect(answer?.body).not.toContain('never-to-be-seen');
});

test('a literal path wins over a parameter', async () => {
  const { client } = await signInAs(await startTestService(), { role: 'admin' });
  expect((await client.post('/sessions/cleanup')).status).toBe(200);
});

test('HEAD answers like GET, without the body', async () => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service);
  for (const client of [nativeClient(service, accessToken), nativeClient(service)]) {
    const [whole, head] = [await client.get('/me'), await client.send('HEAD', '/me')];
    expect(head.status).toBe(whole.status);
    expect(head.body).toBeUndefined();
    for (const name of ['content-type', 'content-length', 'cache-control']) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    }
  }
});

test('OPTIONS names the methods of a path', async () => {
  const client = nativeClient(await startTestService());
  const { status, headers } = await client.send('OPTIONS', '/sessions');
  expect(status).toBe(204);
  expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  expect(headers.get('x-request-id')).toBeTruthy();
  // RFC 9110 §8.6: not in a 204.
  expect(headers.has('content-length')).toBe(false);
});

test('AUTH_PREFIX moves every route', async () => {
  const service = await startTestService({ AUTH_PREFIX: '/api/identity' });
  expect(service.prefix).toBe('/api/identity');
  const { client } = await signInAs(service);
  expect((await client.get('/me')).status).toBe(200);
  expect((await fetch(`${service.url}/auth/me`)).status).toBe(404);
});
