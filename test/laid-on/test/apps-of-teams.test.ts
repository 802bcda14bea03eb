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
    expect(answer.setCookies.filter(({ name }) => name === 'own')).toHaveLength(1);
  }
  expect(client.cookies.size).toBe(4);
});

test('preflights and other methods are answered by the service, which leaves all other paths to the app', async () => {
  const service = { ...(await startOwnApp()), prefix: '/auth' };
  const client = nativeClient(service);
  const preflight = { origin: 'http://app.test', 'access-control-request-method': 'POST' };
  const { status, headers } = await client.send('OPTIONS', '/refresh', undefined, preflight);
  expect([status, headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
  expect(headers.get('access-control-allow-origin')).toBe('http://app.test');
  for (const [method, path, allow] of [
    ['PUT', '/me', 'GET, HEAD, OPTIONS'],
    ['PUT', '/sessions/x', 'DELETE, OPTIONS'],
    // A literal path, which the route of another path with a parameter also matches.
    ['DELETE', '/sessions/cleanup', 'POST, OPTIONS'],
  ] as const) {
    const refused = await client.send(method, path);
    expect([refused.status, refused.body.code], path).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(refused.headers.get('allow')).toBe(allow);
  }
  for (const path of ['/nothing', '/me/', '/sessions/']) {
    const unknown = await fetch(`${service.url}/auth${path}`);
    const text = await unknown.text();
    expect([unknown.status, text.includes('"code"')], path).toEqual([404, false]);
  }
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
  const { url } = await startOwnApp();
  for (const [method, body, headers, status] of [
    ['OPTIONS', null, { 'access-control-request-method': 'POST' }, 204],
    ['POST', '{}', { 'content-type': 'application/json' }, 200],
  ] as const) {
    const answerTo = (origin: string) =>
      fetch(`${url}/own/echo`, { method, body, headers: { ...headers, origin } });
    const answer = await answerTo('http://app.test');
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://app.test');
    const foreign = await answerTo('http://evil.test');
    expect(foreign.headers.has('access-control-allow-origin')).toBe(false);
    expect(foreign.headers.get('vary')?.toLowerCase()).toBe('accept-language, origin');
  }
});
