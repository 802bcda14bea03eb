import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../test/client.js';
import { startOwnApp } from '../../test/own-app.js';
import { signInAs, signInBrowserAs } from '../../test/sign-in-as.js';

// The service within an app of a team's own: its routes work there as they do alone.

test('what the app does to every answer it does to those of the service', async () => {
  const app = await startOwnApp();
  const { client } = await signInBrowserAs({ ...app, prefix: '/auth' });
  for (const answer of [await client.get('/me'), await client.post('/refresh')]) {
    expect([answer.status, answer.headers.get('x-own-app')]).toEqual([200, 'yes']);
  }
  expect(client.cookies.size).toBe(3);
});

test('a JSON parser in front takes nothing from the service', async () => {
  const app = await startOwnApp();
  const { client } = await signInAs({ ...app, prefix: '/auth' });
  const name = 'Zoë 李';
  expect((await client.patch('/profile', `{ "name" : "${name}" }`)).status).toBe(200);
  expect((await client.get('/me')).body.metadata.name).toBe(name);
  expect((await client.patch('/profile', '{')).body.code).toBe('INVALID_JSON');
  const { status, body } = await client.patch('/profile', '[]');
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
});

test("a body that is not JSON is the client's fault in routes of the app too", async () => {
  const client = nativeClient(await startOwnApp());
  for (const text of ['{', 'nonsense', '{"a":1} {}']) {
    const { status, body } = await client.post('/echo', text);
    expect([status, body.code], text).toEqual([400, 'INVALID_JSON']);
  }
});

test('an error that is meant for the client is told; of any other, also of another service, nothing is', async () => {
  const client = nativeClient(await startOwnApp());
  const gone = await client.get('/gone');
  expect([gone.status, gone.body]).toEqual([
    404,
    { error: 'That page is gone.', code: 'NOT_FOUND' },
  ]);
  for (const path of ['/upstream', '/defect']) {
    const { status, body } = await client.get(path);
    expect([status, body.code], path).toEqual([500, 'INTERNAL']);
  }
});

test('the CORS of ALLOWED_ORIGINS holds for routes of the app, preflights too', async () => {
  const client = nativeClient(await startOwnApp());
  const preflight = { 'access-control-request-method': 'POST' };
  for (const [method, headers, status] of [
    ['OPTIONS', preflight, 204],
    ['POST', {}, 200],
  ] as const) {
    const ours = { ...headers, origin: 'http://app.test' };
    const answer = await client.send(method, '/echo', method === 'POST' ? {} : undefined, ours);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://app.test');
    const foreign = await client.send(method, '/echo', method === 'POST' ? {} : undefined, {
      ...headers,
      origin: 'http://evil.test',
    });
    expect(foreign.headers.has('access-control-allow-origin')).toBe(false);
  }
});

test('a route of your own knows the signed-in user', async () => {
  const app = await startOwnApp();
  const { client } = await signInAs(app, { email: 'ada@example.com' });
  expect((await client.get('/hello')).body).toEqual({ hello: 'ada@example.com' });
});

test('it refuses everybody else like the service does', async () => {
  const { status, body, headers } = await nativeClient(await startOwnApp()).get('/hello');
  expect([status, body.code]).toEqual([401, 'INVALID_TOKEN']);
  expect(headers.get('x-request-id')).toBeTruthy();
});

test('it asks for a permission, if you name one', async () => {
  const app = await startOwnApp();
  const [user, admin] = [await signInAs(app), await signInAs(app, { role: 'admin' })];
  expect((await user.client.get('/reports')).body.code).toBe('FORBIDDEN');
  expect((await admin.client.get('/reports')).body).toEqual({ reports: [] });
});

test('it is safe from CSRF, and a refusal brings a token that is good', async () => {
  const app = await startOwnApp();
  const signedIn = await signInBrowserAs({ ...app, prefix: '/auth' });
  const page = browser(app);
  page.cookies.set('accessToken', signedIn.client.cookies.get('accessToken') ?? '');
  page.cookies.set('csrf-token', 'planted');
  expect((await page.post('/hello')).body.code).toBe('CSRF_INVALID');
  expect((await page.post('/hello')).status).toBe(200);
  const foreign = await page.post('/hello', {}, { origin: 'http://evil.test' });
  expect(foreign.body.code).toBe('ORIGIN_NOT_ALLOWED');
});
