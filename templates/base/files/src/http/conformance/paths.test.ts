import { expect, test } from 'vitest';
import { ask, refused, unreadable } from '../../../test/exact-answer.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

// What every service answers, byte for byte, whichever framework it stands on.

test.each([
  '/',
  '/auth',
  '/auth/',
  '/auth/nothing',
  '/auth/nothing?with=query',
  '/auth/me/',
  '/auth/me/more',
  '/AUTH/ME',
  '//auth/me',
  '/auth//me',
  '/auth/./me',
  '/auth/x/../me',
  '/auth/%6de',
  '/%61uth/me',
  '/auth/me%2f',
  '/auth/me%3fa',
  '/auth/%',
  '/auth/%zz',
  '/auth/%c3%28',
  '/auth/me;a=b',
  '/auth/me#part',
  '/favicon.ico',
])('%s is nothing: paths count as they are spelled', async (path) => {
  expect(await ask(await startTestService(), `GET ${path}`)).toEqual(refused('NOT_FOUND'));
});

test('a query takes no part in the path', async () => {
  const service = await startTestService();
  for (const query of ['?', '?a=b', '?a=%zz', '?a=b?c=d', '?/auth/nothing', '?%00']) {
    expect(await ask(service, `GET /auth/me${query}`)).toEqual(refused('INVALID_TOKEN'));
  }
});

test('a path in absolute form is the same path: proxies may send it', async () => {
  const service = await startTestService();
  for (const origin of ['http://auth.test', 'https://auth.test:8443', 'HTTP://other.test']) {
    expect(await ask(service, `GET ${origin}/auth/me`)).toEqual(refused('INVALID_TOKEN'));
    expect(await ask(service, `GET ${origin}/auth/nothing`)).toEqual(refused('NOT_FOUND'));
  }
});

test('a parameter is decoded once, and broken encoding is no path', async () => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service);
  const bearer = [`Authorization: Bearer ${accessToken}`];
  const askFor = (handle: string) => ask(service, `DELETE /auth/sessions/${handle}`, bearer);
  for (const handle of ['x', '%41', 'a%2Fb', '%252f', '%F0%9F%94%91', '%00', 'x'.repeat(4000)]) {
    expect(await askFor(handle), handle).toEqual(refused('SESSION_NOT_FOUND'));
  }
  for (const handle of ['%', '%z', '%zz', '%ff', '%c3%28', 'a/b', '']) {
    expect(await askFor(handle), handle).toEqual(refused('NOT_FOUND'));
  }
});

test('a target that is no path is no request', async () => {
  const service = await startTestService();
  for (const line of ['OPTIONS *', 'GET /auth\\me', 'GET http://auth.test\\me']) {
    const { lines, ...rest } = await ask(service, line);
    const { lines: expected, ...others } = unreadable('INVALID_REQUEST');
    expect(rest, line).toEqual(others);
    expect(lines.filter((each) => each !== 'date: *')).toEqual(expected);
  }
});
