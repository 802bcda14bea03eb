import { expect, test } from 'vitest';
import { answered, ask, askWith, exactly, refused } from '../../../test/exact-answer.js';
import { startTestService, type TestEnvironment } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { requestText, sendBytes } from '../../../test/wire.js';

const DONE = answered(200, '{"success":true}');
const JSON_TYPE = 'Content-Type: application/json';

async function signedIn(environment: TestEnvironment = {}) {
  const service = await startTestService(environment);
  const { accessToken } = await signInAs(service);
  const bearer = `Authorization: Bearer ${accessToken}`;
  return {
    service,
    bearer,
    send: (body: string, headers: string[] = []) =>
      askWith(service, 'PATCH /auth/profile', body, [bearer, ...headers]),
  };
}

test('what is not JSON is refused with the same bytes everywhere', async () => {
  const { send } = await signedIn();
  for (const body of ['{', '{"name":}', "{'name':1}", '{} {}', 'undefined', 'NaN', '\ufeff']) {
    expect(await send(body), body).toEqual(refused('INVALID_JSON'));
  }
});

test('names of prototypes and of one field twice are plain fields', async () => {
  const { send } = await signedIn();
  for (const body of [
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"isAdmin":true}}}',
    '{"name":"Eve","name":"Ada"}',
  ]) {
    expect(await send(body), body).toEqual(DONE);
  }
});

test('no body, an empty one and one of spaces: only the last is broken JSON', async () => {
  const { service, bearer, send } = await signedIn();
  const line = 'PATCH /auth/profile';
  for (const headers of [[], [JSON_TYPE], ['Content-Type: text/plain'], ['Content-Type: ;;']]) {
    for (const length of [[], ['Content-Length: 0']]) {
      expect(await ask(service, line, [bearer, ...headers, ...length])).toEqual(DONE);
    }
    const chunked = [bearer, ...headers, 'Transfer-Encoding: chunked'];
    expect(await ask(service, line, chunked, '0\r\n\r\n')).toEqual(DONE);
  }
  expect(await send('  ')).toEqual(refused('INVALID_JSON'));
});

test('any type but JSON is refused', async () => {
  const { service, bearer } = await signedIn();
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
    'nonsense',
    ';;',
    ',application/json',
  ]) {
    const headers = [bearer, `Content-Type: ${type}`, 'Content-Length: 2'];
    const answer = await ask(service, 'PATCH /auth/profile', headers, '{}');
    expect(answer, type).toEqual(refused('UNSUPPORTED_MEDIA_TYPE'));
  }
  const untyped = await ask(service, 'PATCH /auth/profile', [bearer, 'Content-Length: 2'], '{}');
  expect(untyped).toEqual(refused('UNSUPPORTED_MEDIA_TYPE'));
  const packed = await askWith(service, 'PATCH /auth/profile', '{}', [
    bearer,
    'Content-Encoding: gzip',
  ]);
  expect(packed).toEqual(refused('UNSUPPORTED_MEDIA_TYPE'));
});

test('a body as long as BODY_LIMIT is read, one byte more is not', async () => {
  const { service, bearer, send } = await signedIn({ BODY_LIMIT: '1kb' });
  const bodyOf = (length: number) => `{"x":"${'x'.repeat(length - '{"x":""}'.length)}"}`;
  expect(await send(bodyOf(1024))).toEqual(DONE);
  expect(await send(bodyOf(1025))).toEqual(refused('BODY_TOO_LARGE'));
  // Whatever type it says: its length is what is looked at first.
  const plain = [bearer, 'Content-Type: text/plain', 'Content-Length: 99999999'];
  expect(await ask(service, 'PATCH /auth/profile', plain)).toEqual(refused('BODY_TOO_LARGE'));
  const chunked = [bearer, JSON_TYPE, 'Transfer-Encoding: chunked'];
  const chunks = `400\r\n${' '.repeat(1024)}\r\n1\r\n \r\n`;
  expect(await ask(service, 'PATCH /auth/profile', chunked, chunks)).toEqual(
    refused('BODY_TOO_LARGE'),
  );
});

test('a body in chunks is one body', async () => {
  const { service, bearer } = await signedIn();
  const chunks = ['{"na', 'me":', '"Ada"}'].map(
    (text) => `${text.length.toString(16)}\r\n${text}\r\n`,
  );
  const headers = [bearer, JSON_TYPE, 'Transfer-Encoding: chunked'];
  const answer = await ask(service, 'PATCH /auth/profile', headers, `${chunks.join('')}0\r\n\r\n`);
  expect(answer).toEqual(DONE);
});

test('a path that is not there reads no body, and one that answers anything takes any', async () => {
  const service = await startTestService({ BODY_LIMIT: '1kb' });
  for (const body of ['{', 'x'.repeat(5000)]) {
    expect(await askWith(service, 'POST /auth/nothing', body)).toEqual(refused('NOT_FOUND'));
    expect(await askWith(service, 'POST /nothing', body)).toEqual(refused('NOT_FOUND'));
    expect((await askWith(service, 'POST /auth/logout', body)).body).toBe('{"success":true}');
  }
});

test('who asks before sending a body is told to go on', async () => {
  const { service, bearer } = await signedIn();
  const headers = ['X-Auth-Strategy: bearer', bearer, JSON_TYPE, 'Content-Length: 2'];
  const request = requestText('PATCH /auth/profile', [
    ...headers,
    'Expect: 100-continue',
    'Connection: close',
  ]);
  const [interim, answer] = await sendBytes(service, request, '{}');
  expect(interim?.statusLine).toBe('HTTP/1.1 100 Continue');
  expect(answer && exactly(answer)).toEqual(DONE);
  // Another expectation is none that one has to meet.
  expect(await ask(service, 'GET /auth/me', ['Expect: the-unexpected'])).toEqual(
    refused('INVALID_TOKEN'),
  );
});
