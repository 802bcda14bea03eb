import { expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { startOwnApp } from './own-app.js';
import { signInBrowserAs } from './sign-in-as.js';

// The service inside a team's own app: its routes work there as they do alone.

test('what the app adds to every answer is on those of the service too', async () => {
  const app = await startOwnApp();
  const { client } = await signInBrowserAs({ ...app, prefix: '/auth' });
  for (const answer of [await client.get('/me'), await client.post('/refresh')]) {
    expect([answer.status, answer.headers.get('x-own-app')]).toEqual([200, 'yes']);
  }
  expect(client.cookies.size).toBe(3);
});

test("a body that is not JSON is the client's fault in routes of the app too", async () => {
  const client = nativeClient(await startOwnApp());
  for (const text of ['{', 'nonsense', '{"a":1} {}']) {
    const { status, body } = await client.post('/echo', text);
    expect([status, body.code], text).toEqual([400, 'INVALID_JSON']);
  }
});

test('an error meant for the client is shown; any other, also of another service, is not', async () => {
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
