import { expect, test } from 'vitest';
import { answered, ask, askWith, refused, unreadable } from '../../../test/exact-answer.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const WITHOUT_BODY = ['cache-control', 'content-length', 'content-type', 'x-content-type-options'];

/** An answer of 204: nothing is said of a body that there is not. */
function noContent(...lines: string[]) {
  const { lines: all, ...rest } = answered(204, '', ...lines);
  return {
    ...rest,
    lines: all.filter((line) => !WITHOUT_BODY.some((name) => line.startsWith(name))),
  };
}

test.each([
  ['POST /auth/me', 'GET, HEAD, OPTIONS'],
  ['DELETE /auth/profile', 'PATCH, OPTIONS'],
  ['GET /auth/refresh', 'POST, OPTIONS'],
  ['PUT /auth/sessions/cleanup', 'POST, OPTIONS'],
  ['GET /auth/sessions/x', 'DELETE, OPTIONS'],
  ['PROPFIND /auth/sessions', 'GET, HEAD, OPTIONS'],
  ['M-SEARCH /auth/me', 'GET, HEAD, OPTIONS'],
  ['TRACE /auth/me', 'GET, HEAD, OPTIONS'],
  ['POST /healthz', 'GET, HEAD, OPTIONS'],
])('%s is refused with Allow: %s', async (line, allow) => {
  const answer = await ask(await startTestService(), line);
  expect(answer).toEqual(refused('METHOD_NOT_ALLOWED', `allow: ${allow}`));
});

test('a method that is none ends the connection', async () => {
  const { statusLine, body } = await ask(await startTestService(), 'BREW /auth/me');
  expect(statusLine).toBe('HTTP/1.1 400 Bad Request');
  expect(JSON.parse(body).code).toBe('INVALID_REQUEST');
});

test('nobody is connected to anywhere', async () => {
  const service = await startTestService();
  for (const line of ['CONNECT auth.test:443', 'CONNECT /auth/me']) {
    expect(await ask(service, line)).toEqual(unreadable('INVALID_REQUEST'));
  }
});

test('the method is looked at before the body, and a wrong one reads none', async () => {
  const service = await startTestService({ BODY_LIMIT: '1kb' });
  for (const body of ['{', '{}', 'x'.repeat(5000)]) {
    const answer = await askWith(service, 'PUT /auth/me', body);
    expect(answer).toEqual(refused('METHOD_NOT_ALLOWED', 'allow: GET, HEAD, OPTIONS'));
  }
});

test('HEAD is answered as GET is, without the body', async () => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service);
  const bearer = [`Authorization: Bearer ${accessToken}`];
  for (const [path, headers] of [
    ['/auth/me', bearer],
    ['/auth/me', []],
    ['/auth/nothing', []],
    ['/healthz', []],
  ] as const) {
    const whole = await ask(service, `GET ${path}`, [...headers]);
    const head = await ask(service, `HEAD ${path}`, [...headers]);
    expect(head).toEqual({ ...whole, body: '' });
  }
});

test('OPTIONS names the methods, and lets nobody in', async () => {
  const service = await startTestService();
  for (const [path, allow] of [
    ['/auth/me', 'GET, HEAD, OPTIONS'],
    ['/auth/profile', 'PATCH, OPTIONS'],
    ['/auth/sessions/x', 'DELETE, OPTIONS'],
  ]) {
    expect(await ask(service, `OPTIONS ${path}`)).toEqual(noContent(`allow: ${allow}`));
  }
  expect(await ask(service, 'OPTIONS /auth/nothing')).toEqual(refused('NOT_FOUND'));
});

test('a preflight of a page of ours is told what it may send, any other nothing', async () => {
  const service = await startTestService();
  const preflight = (origin: string) =>
    ask(service, 'OPTIONS /auth/profile', [
      `Origin: ${origin}`,
      'Access-Control-Request-Method: PATCH',
      'Access-Control-Request-Headers: content-type',
    ]);
  expect(await preflight('http://evil.test')).toEqual(noContent('allow: PATCH, OPTIONS'));
  expect(await preflight('http://app.test')).toEqual(
    noContent(
      'access-control-allow-credentials: true',
      'access-control-allow-headers: Authorization, Content-Type, X-Auth-Strategy, X-Correlation-Id, X-CSRF-Token',
      'access-control-allow-methods: PATCH, OPTIONS',
      'access-control-allow-origin: http://app.test',
      'access-control-expose-headers: X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
      'access-control-max-age: 600',
      'allow: PATCH, OPTIONS',
    ),
  );
});
