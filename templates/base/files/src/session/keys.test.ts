import { expect, test } from 'vitest';
import { nativeClient } from '../../test/client.js';
import { startTestService, type TestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';

const OLD = ['old-access-secret-0123456789-abcdefghij', 'old-refresh-secret-0123456789-abcdefghi'];
const NEW = ['new-access-secret-9876543210-jihgfedcba', 'new-refresh-secret-9876543210-ihgfedcba'];

/** The service on the same database, with other secrets. */
function restartWith(service: TestService, access: string, refresh: string): Promise<TestService> {
  return startTestService({
    DATABASE_URL: service.config.DATABASE_URL,
    ACCESS_TOKEN_SECRET: access,
    REFRESH_TOKEN_SECRET: refresh,
  });
}

async function startWithOldSecrets(): Promise<TestService> {
  const [access = '', refresh = ''] = OLD;
  return startTestService({ ACCESS_TOKEN_SECRET: access, REFRESH_TOKEN_SECRET: refresh });
}

test('a secret is changed without ending a session: the first signs, all verify', async () => {
  const before = await startWithOldSecrets();
  const { accessToken, refreshToken } = await signInAs(before);
  const during = await restartWith(before, `${NEW[0]},${OLD[0]}`, `${NEW[1]}, ${OLD[1]}`);
  expect((await nativeClient(during, accessToken).get('/me')).status).toBe(200);
  const { body } = await nativeClient(during).post('/refresh', { refreshToken });
  expect(body.success).toBe(true);

  expect((await nativeClient(before, body.accessToken).get('/me')).status).toBe(401);
  const after = await restartWith(before, `${NEW[0]}`, `${NEW[1]}`);
  expect((await nativeClient(after, body.accessToken).get('/me')).status).toBe(200);
  expect((await nativeClient(after).post('/refresh', body)).status).toBe(200);
});

test('a secret that was taken off the list verifies nothing any more', async () => {
  const before = await startWithOldSecrets();
  const { accessToken, refreshToken } = await signInAs(before);
  const after = await restartWith(before, `${NEW[0]}`, `${NEW[1]}`);
  expect((await nativeClient(after, accessToken).get('/me')).body.code).toBe('INVALID_TOKEN');
  const { body } = await nativeClient(after).post('/refresh', { refreshToken });
  expect(body.code).toBe('INVALID_REFRESH_TOKEN');
});
