import { setTimeout } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { browser, nativeClient } from '../../test/client.js';
import { startOwnApp } from '../../test/own-app.js';
import { signInAs, signInBrowserAs } from '../../test/sign-in-as.js';
import { openConnection, requestText } from '../../test/wire.js';

// The service within an app of a team's own: its routes work there as they do alone.

test('the service answers, and so do the routes around it', async () => {
  const app = await startOwnApp();
  const { client } = await signInAs({ ...app, prefix: '/auth' }, { email: 'ada@example.com' });
  expect((await client.get('/me')).body.email).toBe('ada@example.com');
  expect((await nativeClient(app).post('/echo', { to: 'you' })).body).toEqual({ to: 'you' });
});

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

test('BODY_LIMIT holds for the routes of the service', async () => {
  const app = await startOwnApp({ BODY_LIMIT: '1kb' });
  const { client } = await signInAs({ ...app, prefix: '/auth' });
  const { status, body } = await client.patch('/profile', { name: 'x'.repeat(2000) });
  expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE']);
});

test('an error handler of the app is asked first', async () => {
  const { status, body } = await nativeClient(await startOwnApp()).get('/teapot');
  expect([status, body]).toEqual([418, { own: 'short and stout' }]);
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

test('a client that leaves in the middle of a body is no defect of ours', async () => {
  const app = await startOwnApp();
  const logged = vi.spyOn(app.services.log, 'error');
  for (const path of ['/own/echo', '/auth/refresh']) {
    const socket = await openConnection(app);
    const head = ['Content-Type: application/json', 'Content-Length: 9'];
    socket.write(requestText(`POST ${path}`, head, '{'));
    await setTimeout(50);
    socket.resetAndDestroy();
  }
  await setTimeout(100);
  expect(logged).not.toHaveBeenCalled();
});

test('below a prefix of the app, AUTH_PREFIX begins with it', async () => {
  const app = await startOwnApp({ AUTH_PREFIX: '/api/auth' }, '/api');
  const { client } = await signInBrowserAs({ ...app, prefix: '/api/auth' });
  expect((await client.get('/me')).status).toBe(200);
  expect((await client.post('/refresh')).status).toBe(200);
  expect((await browser({ ...app, prefix: '/auth' }).get('/me')).status).toBe(404);
  // What is mounted nowhere is nowhere, whatever its own prefix is.
  expect((await browser({ ...app, prefix: '' }).get('/healthz')).status).toBe(404);
  const { status, headers } = await nativeClient({ ...app, prefix: '/api/auth' }).send(
    'PROPFIND',
    '/me',
  );
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});
