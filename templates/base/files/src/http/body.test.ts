import { expect, test } from 'vitest';
import { nativeClient } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { signInAs, startSignedIn } from '../../test/sign-in-as.js';

test('JSON that is not an object is refused', async () => {
  const { client } = await signInAs(await startTestService(), { role: 'admin' });
  for (const text of ['[]', '[{"name":"Ada"}]', 'null', 'true', '1', '"Ada"']) {
    const change = await client.patch('/profile', text);
    const withoutFields = await client.post('/sessions/cleanup', text);
    for (const { status, body } of [change, withoutFields]) {
      expect([text, status, body.code]).toEqual([text, 400, 'VALIDATION_FAILED']);
    }
  }
});

test('a wrong field is named', async () => {
  const { client } = await signInAs(await startTestService());
  const { status, body } = await client.patch('/profile', { name: 'Ada', firstName: 7 });
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(body.details).toEqual([{ path: 'firstName', message: expect.any(String) }]);
});

test('unknown fields are ignored', async () => {
  const { client, refreshToken } = await signInAs(await startTestService());
  expect((await client.post('/refresh', { refreshToken, shoeSize: 38 })).status).toBe(200);
});

test('a body of another type is refused: a form of another site could send it', async () => {
  const client = nativeClient(await startTestService());
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
  ]) {
    const { status, body } = await client.post('/refresh', '{}', { 'content-type': type });
    expect([type, status, body.code]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE']);
  }
});

test('a body of BODY_LIMIT bytes is accepted, and of one byte more refused', async () => {
  const { client } = await startSignedIn({ role: 'admin' }, { BODY_LIMIT: '1kb' });
  const bodyOf = (length: number) => `{"x":"${'x'.repeat(length - '{"x":""}'.length)}"}`;
  expect((await client.post('/sessions/cleanup', bodyOf(1024))).status).toBe(200);
  const { status, body } = await client.post('/sessions/cleanup', bodyOf(1025));
  expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE']);
});
