import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../test/client.js';
import { startOwnApp } from '../../test/own-app.js';
import { signInAs, signInBrowserAs } from '../../test/sign-in-as.js';

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

test('below a prefix of the app, AUTH_PREFIX begins with it', async () => {
  const app = await startOwnApp({ AUTH_PREFIX: '/api/auth' }, '/api');
  const { client } = await signInBrowserAs({ ...app, prefix: '/api/auth' });
  expect((await client.get('/me')).status).toBe(200);
  expect((await client.post('/refresh')).status).toBe(200);
  expect((await browser({ ...app, prefix: '/auth' }).get('/me')).status).toBe(404);
});
