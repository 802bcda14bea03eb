import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const JSON_HEADER = { 'content-type': 'application/json' };

test.each([
  [100, 200],
  [101, 400],
])('%i levels of nesting: %i', async (levels, expected) => {
  const { client } = await signInAs(await startTestService(), { role: 'admin' });
  const inner = levels - 1;
  const nested = `{"other":${'['.repeat(inner)}1${']'.repeat(inner)}}`;
  const { status, body } = await client.post('/sessions/cleanup', nested);
  expect(status).toBe(expected);
  if (expected === 400) expect(body.code).toBe('INVALID_JSON');
});

test('a compressed body is refused: it could unfold to any size', async () => {
  const service = await startTestService();
  const headers = { ...JSON_HEADER, 'content-encoding': 'gzip' };
  const answer = await nativeClient(service).post('/refresh', '{}', headers);
  expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  // The name of a coding is the same in capitals (RFC 9110 §8.4.1).
  const plain = { ...JSON_HEADER, 'content-encoding': 'Identity' };
  expect((await nativeClient(service).post('/refresh', '{}', plain)).status).toBe(401);
});

/** A request whose body is sent in pieces. */
function beginPost({ url }: TestService, path: string, headers: Record<string, string>) {
  return request(url + path, { method: 'POST', headers: { ...JSON_HEADER, ...headers } });
}

async function responseTo(sent: ClientRequest): Promise<IncomingMessage> {
  const [response] = await once(sent, 'response');
  response.resume();
  return response;
}

test('a body that announces itself as too long is not waited for', async () => {
  const sent = beginPost(await startTestService(), '/auth/refresh', {
    'content-length': '999999999',
  });
  sent.write('{');
  const { statusCode, headers } = await responseTo(sent);
  expect([statusCode, headers.connection]).toEqual([413, 'close']);
  sent.destroy();
});

test('a truncated body is never acted on, not even to sign out', async () => {
  const service = await startTestService();
  const { client, accessToken } = await signInAs(service);
  const authorization = `Bearer ${accessToken}`;
  const sent = beginPost(service, '/auth/logout', { authorization, 'content-length': '20' });
  sent.on('error', () => {}).write('{}');
  await new Promise((resolve) => setTimeout(resolve, 50));
  sent.destroy();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await client.get('/me')).status).toBe(200);
});

test('bytes that are not UTF-8 are not JSON', async () => {
  const { url } = await startTestService();
  const body = Buffer.from([...Buffer.from('{"name":"'), 0xff, ...Buffer.from('"}')]);
  const response = await fetch(`${url}/auth/refresh`, {
    method: 'POST',
    headers: JSON_HEADER,
    body,
  });
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining('INVALID_JSON'),
  ]);
});
