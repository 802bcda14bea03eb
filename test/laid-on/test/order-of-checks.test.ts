import { expect, test } from 'vitest';
import * as z from 'zod';
import { answer } from '../src/http/answer.js';
import { post } from '../src/http/route.js';
import { browser, nativeClient } from './client.js';
import { startTestService } from './service.js';
import { signInAs, signInBrowserAs, someRequest } from './sign-in-as.js';

// Each request below is wrong in two ways; the response names the one that is checked first.

const FOREIGN = { origin: 'http://evil.test' };
const BROKEN = '{';

test('the path comes before the method, the body and the origin', async () => {
  const client = nativeClient(await startTestService());
  const { body } = await client.send('PUT', '/nothing', BROKEN, FOREIGN);
  expect(body.code).toBe('NOT_FOUND');
});

test('the method comes before the body and the origin', async () => {
  const client = nativeClient(await startTestService());
  const { body } = await client.send('PUT', '/refresh', BROKEN, FOREIGN);
  expect(body.code).toBe('METHOD_NOT_ALLOWED');
});

test('every failure of refresh has `success: false`, a wrong method too', async () => {
  const client = nativeClient(await startTestService());
  const failures = await Promise.all([
    client.get('/refresh'),
    client.send('PUT', '/refresh', {}),
    client.send('DELETE', '/refresh'),
    client.post('/refresh', BROKEN),
    client.post('/refresh', '{}', { 'content-type': 'text/plain' }),
    client.post('/refresh', '{}', { 'content-type': 'nonsense;;' }),
    client.post('/refresh', 'x'.repeat(1_000_000)),
    client.post('/refresh', {}, FOREIGN),
    client.post('/refresh', { refreshToken: 7 }),
    client.post('/refresh', {}),
  ]);
  const answered = failures.map(({ status, body }) => [status, body.success]);
  const statuses = [405, 405, 405, 400, 415, 415, 413, 403, 400, 401];
  expect(answered).toEqual(statuses.map((status) => [status, false]));
});

test('the body comes before the origin and the authentication', async () => {
  const client = nativeClient(await startTestService({ BODY_LIMIT: '1kb' }));
  const codeOf = async (text: string, headers: Record<string, string> = {}) =>
    (await client.patch('/profile', text, { ...FOREIGN, ...headers })).body.code;
  expect(await codeOf(BROKEN)).toBe('INVALID_JSON');
  expect(await codeOf('{}', { 'content-type': 'text/plain' })).toBe('UNSUPPORTED_MEDIA_TYPE');
  expect(await codeOf('x'.repeat(2000), { 'content-type': 'text/plain' })).toBe('BODY_TOO_LARGE');
});

test('the origin comes before the authentication', async () => {
  const client = nativeClient(await startTestService());
  expect((await client.patch('/profile', {}, FOREIGN)).body.code).toBe('ORIGIN_NOT_ALLOWED');
});

test('the authentication comes before CSRF, permission and validation', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service);
  const stale = browser(service);
  for (const [name, value] of client.cookies) stale.cookies.set(name, value);
  stale.cookies.set('accessToken', 'stale');
  const wrongToken = { 'x-csrf-token': 'wrong' };
  expect((await stale.patch('/profile', { name: 7 }, wrongToken)).body.code).toBe('INVALID_TOKEN');
  const cleanup = await stale.post('/sessions/cleanup', [], wrongToken);
  expect(cleanup.body.code).toBe('INVALID_TOKEN');
});

test('CSRF comes before permission and validation', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  const wrongToken = { 'x-csrf-token': 'wrong' };
  expect((await client.patch('/profile', { name: 7 }, wrongToken)).body.code).toBe('CSRF_INVALID');
  expect((await client.post('/sessions/cleanup', [], wrongToken)).body.code).toBe('CSRF_INVALID');
});

test('the permission comes before the validation', async () => {
  const { client } = await signInAs(await startTestService());
  expect((await client.post('/sessions/cleanup', [])).body.code).toBe('FORBIDDEN');
});

test('the permission comes before the freshness, and that before the validation', async () => {
  const service = await startTestService({ REAUTH_WINDOW: '1m', ACCESS_TOKEN_TTL: '1h' });
  const route = post('/example', {
    summary: 'An example',
    access: 'fresh',
    permission: 'examples:make',
    body: z.object({ name: z.string() }),
    handle: async () => ({ body: { success: true } }),
  });
  const codeFor = async (accessToken: string, json: unknown) => {
    const request = {
      ...someRequest(),
      bearerToken: accessToken,
      header: (name: string) => (name === 'content-type' ? 'application/json' : undefined),
      readBody: async () => Buffer.from(JSON.stringify(json)),
    };
    const { status, body } = await answer(route, request, service.services);
    return JSON.parse(String(body ?? '{}')).code ?? status;
  };
  const [user, admin] = [await signInAs(service), await signInAs(service, { role: 'admin' })];
  expect(await codeFor(admin.accessToken, { name: 'Ada' })).toBe(200);
  expect(await codeFor(admin.accessToken, {})).toBe('VALIDATION_FAILED');
  service.advance(61_000);
  expect(await codeFor(user.accessToken, {})).toBe('FORBIDDEN');
  expect(await codeFor(admin.accessToken, {})).toBe('REAUTHENTICATION_REQUIRED');
  // A refresh keeps a session alive; it does not prove who is using it.
  await admin.client.post('/refresh', { refreshToken: admin.refreshToken });
  expect(await codeFor(admin.accessToken, {})).toBe('REAUTHENTICATION_REQUIRED');
});

test('a proof is taken out of the body before the route reads it: it is neither stored nor logged', async () => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service);
  const bodies: unknown[] = [];
  const route = post('/example', {
    summary: 'An example',
    access: 'strong',
    body: z.record(z.string(), z.unknown()),
    handle: async ({ body }) => {
      bodies.push(body);
      return { body: { success: true } };
    },
  });
  const sent = { currentPassword: '', code: null, name: 'Ada' };
  const request = {
    ...someRequest(),
    bearerToken: accessToken,
    header: (name: string) => (name === 'content-type' ? 'application/json' : undefined),
    readBody: async () => Buffer.from(JSON.stringify(sent)),
  };
  expect((await answer(route, request, service.services)).status).toBe(200);
  expect(bodies).toEqual([{ name: 'Ada' }]);
});
