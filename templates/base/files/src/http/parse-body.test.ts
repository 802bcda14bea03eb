import { expect, test } from 'vitest';
import { nativeClient } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';
import { openConnection, receiveAll, requestText, sendBytes } from '../../test/wire.js';

const JSON_HEADER = { 'content-type': 'application/json' };

test.each(['{', '{"name":}', "{'name':'Ada'}", '{"name":"Ada"} and more', 'undefined', 'NaN'])(
  '%s is not JSON',
  async (text) => {
    const { client } = await signInAs(await startTestService());
    const { status, body } = await client.patch('/profile', text);
    expect([status, body.code]).toEqual([400, 'INVALID_JSON']);
  },
);

test('bytes that are not UTF-8 are not JSON', async () => {
  const service = await startTestService();
  const head = ['Content-Type: application/json', 'Content-Length: 12', 'Connection: close'];
  const [answer] = await sendBytes(
    service,
    requestText('POST /auth/refresh', head),
    Buffer.from([...Buffer.from('{"name":"'), 0xff, ...Buffer.from('"}')]),
  );
  expect(answer?.status).toBe(400);
  expect(answer?.body).toContain('INVALID_JSON');
});

test.each(['[]', '[{"name":"Ada"}]', 'null', 'true', '1', '"Ada"'])(
  '%s is JSON, but not an object',
  async (text) => {
    const { client } = await signInAs(await startTestService(), { role: 'admin' });
    const change = await client.patch('/profile', text);
    expect([change.status, change.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    const withoutFields = await client.post('/sessions/cleanup', text);
    expect([withoutFields.status, withoutFields.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  },
);

test.each([
  [100, 200],
  [101, 400],
])('%i levels of nesting: %i', async (levels, expected) => {
  const { client } = await signInAs(await startTestService());
  const inner = levels - 1;
  const nested = `{"other":${'['.repeat(inner)}1${']'.repeat(inner)}}`;
  const { status, body } = await client.patch('/profile', nested);
  expect(status).toBe(expected);
  if (expected === 400) expect(body.code).toBe('INVALID_JSON');
});

test('ten thousand nested arrays break nothing', async () => {
  const { client } = await signInAs(await startTestService());
  const nested = `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  expect((await client.patch('/profile', nested)).status).toBe(400);
});

test('a wrong field is named', async () => {
  const { client } = await signInAs(await startTestService());
  const { status, body } = await client.patch('/profile', { name: 'Ada', firstName: 7 });
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(body.details).toEqual([{ path: 'firstName', message: expect.any(String) }]);
});

test('unknown fields are ignored', async () => {
  const { client } = await signInAs(await startTestService());
  expect((await client.patch('/profile', { name: 'Ada', shoeSize: 38 })).status).toBe(200);
  expect((await client.get('/me')).body.metadata).toEqual({ name: 'Ada' });
});

test.each([
  { type: 'Content-Type: application/json' },
  { type: 'Content-Type: text/plain' },
  { type: 'X-No-Type: at all' },
])('an empty body counts as {} ($type)', async ({ type }) => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service);
  const head = [`Authorization: Bearer ${accessToken}`, type, 'Connection: close'];
  const lengths = ['Content-Length: 0', 'Transfer-Encoding: chunked'];
  for (const length of lengths) {
    const end = length.startsWith('Transfer') ? '0\r\n\r\n' : '';
    const text = requestText('PATCH /auth/profile', [...head, length], end);
    const [answer] = await sendBytes(service, text);
    expect([answer?.status, answer?.body]).toEqual([200, '{"success":true}']);
  }
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/json-patch+json',
])('a body of type %s is refused: a form of another site could send it', async (type) => {
  const service = await startTestService();
  const answer = await nativeClient(service).post('/refresh', '{}', { 'content-type': type });
  expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test('a body without a type is refused', async () => {
  const service = await startTestService();
  const head = ['Content-Length: 2', 'Connection: close'];
  const [answer] = await sendBytes(service, requestText('POST /auth/refresh', head, '{}'));
  expect(answer?.status).toBe(415);
});

test('a compressed body is refused: it could unfold to any size', async () => {
  const service = await startTestService();
  const headers = { ...JSON_HEADER, 'content-encoding': 'gzip' };
  const answer = await nativeClient(service).post('/refresh', '{}', headers);
  expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test.each([
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json;charset=UTF-8',
])('a body of type %s is read', async (type) => {
  const { client } = await signInAs(await startTestService());
  const { status } = await client.patch('/profile', { name: 'Ada' }, { 'content-type': type });
  expect(status).toBe(200);
});

test('a body may be as long as BODY_LIMIT and not one byte longer', async () => {
  const { client } = await signInAs(await startTestService({ BODY_LIMIT: '1kb' }));
  const bodyOf = (length: number) => `{"x":"${'x'.repeat(length - '{"x":""}'.length)}"}`;
  expect((await client.patch('/profile', bodyOf(1024))).status).toBe(200);
  const { status, body } = await client.patch('/profile', bodyOf(1025));
  expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE']);
});

test('a body that announces itself as too long is not waited for', async () => {
  const service = await startTestService();
  const head = ['Content-Type: application/json', 'Content-Length: 999999999'];
  const [answer] = await sendBytes(service, requestText('POST /auth/refresh', head, '{'));
  expect(answer?.status).toBe(413);
  expect(answer?.headers.get('connection')).toBe('close');
});

test('a body that never says how long it is ends at BODY_LIMIT', async () => {
  const service = await startTestService({ BODY_LIMIT: '1kb' });
  const head = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
  const socket = await openConnection(service);
  const received = receiveAll(socket);
  socket.write(requestText('POST /auth/refresh', head));
  for (let chunk = 0; chunk < 5; chunk++) socket.write(`100\r\n${' '.repeat(256)}\r\n`);
  expect((await received).toString()).toMatch(/^HTTP\/1\.1 413 /);
});
