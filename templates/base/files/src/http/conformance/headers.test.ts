import { expect, test } from 'vitest';
import { browser } from '../../../test/client.js';
import { ask, askWith, onlyOne, refused, unreadable } from '../../../test/exact-answer.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { requestText, sendBytes } from '../../../test/wire.js';

const CSRF_COOKIE = 'set-cookie: csrf-token=*; Max-Age=604800; Path=/; SameSite=Lax';

test('a browser without cookies is handed one, in a header of its own', async () => {
  const service = await startTestService();
  const request = requestText('GET /auth/me', ['Connection: close']);
  expect(onlyOne(await sendBytes(service, request))).toEqual(refused('INVALID_TOKEN', CSRF_COOKIE));
});

test('each cookie of a sign-in is a header of its own', async () => {
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  const { setCookies, headers } = await browser(service).post('/refresh', { refreshToken });
  expect(headers.getSetCookie()).toHaveLength(3);
  expect(setCookies.map(({ name }) => name)).toEqual(['accessToken', 'refreshToken', 'csrf-token']);
});

test('cookies of any shape are read or left alone, never choked on', async () => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service, { email: 'ada@example.com' });
  for (const cookie of [
    'accessToken=%E0%A4%A; x=%',
    ';;;=;=;  ;',
    '__proto__=x; constructor=y; accessToken=z',
    'accessToken="a.b.c"',
    'accessToken',
    'ä=ö',
    `x=${'x'.repeat(12_000)}`,
  ]) {
    expect(await ask(service, 'GET /auth/me', [`Cookie: ${cookie}`])).toEqual(
      refused('INVALID_TOKEN'),
    );
  }
  // Two headers are one list (RFC 6265 §5.4 lets proxies split it), and the first of a name counts.
  for (const cookies of [
    ['Cookie: a=b', `Cookie: accessToken=${accessToken}`],
    [`cOOkie: a=b;accessToken=${accessToken}; accessToken=other`],
  ]) {
    const { statusLine, body } = await ask(service, 'GET /auth/me', cookies);
    expect([statusLine, JSON.parse(body).email]).toEqual(['HTTP/1.1 200 OK', 'ada@example.com']);
  }
});

test('a page of an allowed origin may read a refusal', async () => {
  const service = await startTestService();
  expect(await ask(service, 'GET /auth/nothing', ['Origin: http://app.test'])).toEqual(
    refused(
      'NOT_FOUND',
      'access-control-allow-credentials: true',
      'access-control-allow-origin: http://app.test',
      'access-control-expose-headers: X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
    ),
  );
});

test('headers that are too large, and bytes that are no request, end the connection', async () => {
  const service = await startTestService();
  const huge = requestText('GET /auth/me', [`X-Huge: ${'x'.repeat(20_000)}`]);
  expect(onlyOne(await sendBytes(service, huge))).toEqual(unreadable('HEADERS_TOO_LARGE'));
  for (const text of [
    'nonsense\r\n\r\n',
    requestText('GET /auth/me', ['No colon here']),
    requestText('GET /auth/me', ['Cookie: a\0b']),
    requestText('POST /auth/refresh', ['Content-Length: 2', 'Content-Length: 3'], '{}'),
    requestText('POST /auth/refresh', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '{}'),
  ]) {
    expect(onlyOne(await sendBytes(service, text)), text).toEqual(unreadable('INVALID_REQUEST'));
  }
});

test('a header counts however many are before it: nobody can push out the address that a proxy adds', async () => {
  const service = await startTestService({ TRUST_PROXY: '1' });
  const { refreshToken, client } = await signInAs(service);
  const headers = ['X-Forwarded-For: 198.51.100.1', ...Array.from({ length: 2100 }, () => 'a:')];
  const body = JSON.stringify({ refreshToken });
  await askWith(service, 'POST /auth/refresh', body, [...headers, 'X-Forwarded-For: 203.0.113.9']);
  expect((await client.get('/sessions')).body.sessions[0].ipAddress).toBe('203.0.113.9');
});

test('a request without Host is refused, and what Host says counts for nothing', async () => {
  const service = await startTestService();
  const bearer = 'X-Auth-Strategy: bearer\r\nConnection: close\r\n\r\n';
  const [missing] = await sendBytes(service, `GET /auth/me HTTP/1.1\r\n${bearer}`);
  expect([missing?.status, missing?.body]).toEqual([400, unreadable('INVALID_REQUEST').body]);
  for (const host of ['evil.test', '127.1', 'a b', 'AUTH.test:1', '[::1]', 'x/../y', '@', '']) {
    const request = `GET /auth/me HTTP/1.1\r\nHost: ${host}\r\n${bearer}`;
    expect(onlyOne(await sendBytes(service, request)), host).toEqual(refused('INVALID_TOKEN'));
  }
  const old = await sendBytes(service, `GET /auth/me HTTP/1.0\r\n${bearer}`);
  expect(onlyOne(old)).toEqual(refused('INVALID_TOKEN'));
});

test.each([
  ['0', '203.0.113.9', '127.0.0.1'],
  ['1', '203.0.113.9', '203.0.113.9'],
  ['1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['2', '198.51.100.1, 203.0.113.9', '198.51.100.1'],
  ['2', '203.0.113.9', '203.0.113.9'],
  ['127.0.0.0/8', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['127.0.0.0/8,203.0.113.0/24', '198.51.100.1, 203.0.113.9', '198.51.100.1'],
  ['10.0.0.0/8', '203.0.113.9', '127.0.0.1'],
  ['1', '203.0.113.9:4711', '203.0.113.9'],
  ['1', '[2001:db8::9]:4711', '2001:db8::9'],
  ['1', '2001:db8::9', '2001:db8::9'],
  ['127.0.0.0/8,203.0.113.0/24', '198.51.100.1:80, 203.0.113.9:81', '198.51.100.1'],
  ['1', 'unknown', '127.0.0.1'],
  ['1', 'fe80::1%x', '127.0.0.1'],
  ['1', 'x'.repeat(100), '127.0.0.1'],
  ['2', '"198.51.100.1", 203.0.113.9', '203.0.113.9'],
  ['1', ' , ,', '127.0.0.1'],
])('with TRUST_PROXY=%s, X-Forwarded-For: %s is the client %s', async (trusted, forwarded, ip) => {
  const service = await startTestService({ TRUST_PROXY: trusted });
  const { refreshToken, client } = await signInAs(service);
  await client.post('/refresh', { refreshToken }, { 'x-forwarded-for': forwarded });
  const { body } = await client.get('/sessions');
  expect(body.sessions[0].ipAddress).toBe(ip);
});
