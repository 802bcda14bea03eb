import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { exactly, refused, unreadable } from '../../../test/exact-answer.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { requestText, sendBytes } from '../../../test/wire.js';

// What belongs to which request: where the service and a proxy in front of it read that in two ways, one
// client can put words into the mouth of another (request smuggling).

const BEARER = 'X-Auth-Strategy: bearer';
const CHUNKED = [BEARER, 'Content-Type: application/json', 'Transfer-Encoding: chunked'];

/** A service, a signed-in user, and bytes that would sign them out; `remains` is whether they are still in. */
async function withSession(environment: Parameters<typeof startTestService>[0] = {}) {
  const service = await startTestService(environment);
  const { accessToken, client } = await signInAs(service);
  const bearer = `Authorization: Bearer ${accessToken}`;
  const remains = async () => (await client.get('/me')).status === 200;
  return { service, bearer, signsOut: requestText('POST /auth/logout', [bearer]), remains };
}

test('bytes that are no request are refused after the answers to those before them', async () => {
  const service = await startTestService();
  const ready = requestText('GET /readyz', [BEARER]);
  for (const broken of ['nonsense\r\n\r\n', requestText('GET /x', ['No colon here'])]) {
    const answers = await sendBytes(service, ready + ready + broken);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(answers.slice(2).map(exactly)).toEqual([unreadable('INVALID_REQUEST')]);
  }
});

test('bytes after a request that was the last are no matter of its answer', async () => {
  const service = await startTestService();
  const last = requestText('GET /readyz', [BEARER, 'Connection: close']);
  for (const more of ['\r\n', 'nonsense\r\n\r\n', requestText('GET /healthz')]) {
    const answers = await sendBytes(service, last + more);
    expect(answers.map(({ status }) => status)).toEqual([200]);
  }
});

test('a body that breaks has one answer: of its route, or that it is none', async () => {
  const service = await startTestService();
  const read = requestText('POST /auth/refresh', CHUNKED, '2\r\n{}\r\nzz\r\n');
  expect((await sendBytes(service, read)).map(exactly)).toEqual([unreadable('INVALID_REQUEST')]);
  const unread = requestText('POST /auth/nothing', CHUNKED, '2\r\n{}\r\nzz\r\n');
  const answers = await sendBytes(service, unread);
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [404, refused('NOT_FOUND').body],
  ]);
  const second = await sendBytes(service, requestText('GET /readyz', [BEARER]) + read);
  expect(second.map(({ status }) => status)).toEqual([200, 400]);
});

test('a request that breaks off is not acted on', async () => {
  const { service, bearer, remains } = await withSession();
  const head = [bearer, ...CHUNKED];
  const text = requestText('POST /auth/logout', head, '2\r\n{}\r\nzz\r\n');
  expect((await sendBytes(service, text)).map(exactly)).toEqual([unreadable('INVALID_REQUEST')]);
  // It is given up when its connection is closed.
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await remains()).toBe(true);
});

test('after an offer to speak another protocol, nothing that follows is taken for a request', async () => {
  const { service, bearer, signsOut, remains } = await withSession();
  const offer = ['Connection: Upgrade', 'Upgrade: websocket'];
  const carrier = requestText('POST /auth/nothing', [bearer, `Content-Length: ${signsOut.length}`]);
  const answers = await sendBytes(
    service,
    requestText('GET /readyz', [BEARER, ...offer]) + carrier,
    signsOut,
  );
  expect(answers.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([
    [200, 'close'],
  ]);
  expect(await remains()).toBe(true);
});

test('after an answer that ends the connection, nothing that follows is processed', async () => {
  const { service, bearer, signsOut, remains } = await withSession({ BODY_LIMIT: '1kb' });
  const json = [bearer, 'Content-Type: application/json'];
  const large = [...json, 'Content-Length: 2000'];
  for (const text of [
    requestText('PATCH /auth/profile', large, 'x'.repeat(2000)),
    requestText(
      'POST /auth/logout',
      [...large.slice(1), 'X-Auth-Strategy: bearer'],
      'x'.repeat(2000),
    ),
    requestText('GET *', json),
  ]) {
    const answers = await sendBytes(service, text + signsOut);
    expect(answers.map(({ headers }) => headers.get('connection'))).toEqual(['close']);
    expect(await remains()).toBe(true);
  }
});

test('a request of another version, or in frames of HTTP/1.0, is none', async () => {
  const service = await startTestService();
  for (const text of [
    'GET /healthz\r\n\r\n',
    'GET /healthz HTTP/0.9\r\n\r\n',
    'GET /healthz HTTP/2.0\r\nHost: auth.test\r\n\r\n',
    'POST /auth/refresh HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /auth/refresh HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ]) {
    const answers = await sendBytes(service, text);
    expect(
      answers.map(({ body }) => body),
      text,
    ).toEqual([unreadable('INVALID_REQUEST').body]);
  }
});

test('a request with two hosts is none', async () => {
  const service = await startTestService();
  for (const hosts of [
    'Host: auth.test\r\nHost: evil.test',
    'Host: auth.test\r\nhOST: auth.test',
  ]) {
    for (const version of ['1.0', '1.1']) {
      const text = `GET /healthz HTTP/${version}\r\n${hosts}\r\nConnection: close\r\n\r\n`;
      const answers = await sendBytes(service, text);
      expect(answers.map(({ body }) => body)).toEqual([unreadable('INVALID_REQUEST').body]);
    }
  }
});

test('a client that goes on holding its connection after a refusal loses it', async () => {
  const { url } = await startTestService({ REQUEST_TIMEOUT: '1s' });
  const { hostname, port } = new URL(url);
  for (const text of [
    'nonsense\r\n\r\n',
    requestText('POST /auth/refresh', ['Content-Length: 999']),
  ]) {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('error', () => {}).write(text);
    await once(socket.resume(), 'end');
    const closed = new Promise((resolve) => socket.once('close', () => resolve('closed')));
    // What is written into a connection that the other side has closed makes it break.
    const writing = setInterval(() => socket.write('x'), 50);
    const late = new Promise((resolve) => setTimeout(resolve, 3_000, 'held'));
    expect(await Promise.race([closed, late]), text).toBe('closed');
    clearInterval(writing);
    socket.destroy();
  }
});
