import { expect, test } from 'vitest';
import { nativeClient } from '../../test/client.js';
import { startTestService, type TestService } from '../../test/service.js';
import { signInAs, signInBrowserAs } from '../../test/sign-in-as.js';
import { disableUser } from '../users/disable-user.js';

async function removeUserRow({ services }: TestService, id: string): Promise<void> {
  await services.db.deleteFrom('users').where('id', '=', id).execute();
}

test('without a credential there is no answer but INVALID_TOKEN', async () => {
  const client = nativeClient(await startTestService());
  const answers = [
    await client.get('/me'),
    await client.patch('/profile', {}),
    await client.get('/sessions'),
    await client.delete('/sessions/x'),
    await client.post('/sessions/cleanup'),
  ];
  for (const { status, body } of answers) {
    expect([status, body.code]).toEqual([401, 'INVALID_TOKEN']);
  }
});

test('a browser is known by its cookie, a native client by its header', async () => {
  const service = await startTestService();
  const { client: native } = await signInAs(service, { email: 'ada@example.com' });
  const { client: page } = await signInBrowserAs(service, { email: 'ada@example.com' });
  for (const client of [native, page]) {
    expect((await client.get('/me')).body.email).toBe('ada@example.com');
  }
});

test('a revoked session is told that it was revoked', async () => {
  const service = await startTestService();
  const { client, sessionId, refreshToken } = await signInAs(service);
  await client.delete(`/sessions/${sessionId}`);
  const access = await client.get('/me');
  expect([access.status, access.body.code]).toEqual([401, 'SESSION_REVOKED']);
  const refresh = await client.post('/refresh', { refreshToken });
  expect([refresh.status, refresh.body.code]).toEqual([401, 'SESSION_REVOKED']);
});

test('the token of a deleted user is worth nothing', async () => {
  const service = await startTestService();
  const { client, user, refreshToken } = await signInAs(service);
  await removeUserRow(service, user.id);
  const access = await client.get('/me');
  expect([access.status, access.body.code]).toEqual([401, 'INVALID_TOKEN']);
  const refresh = await client.post('/refresh', { refreshToken });
  expect([refresh.status, refresh.body.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
});

test('with SESSION_CHECK=refresh an access token outlives its session, a refresh token does not', async () => {
  const service = await startTestService({ SESSION_CHECK: 'refresh' });
  const { client, sessionId, refreshToken } = await signInAs(service);
  await client.delete(`/sessions/${sessionId}`);
  expect((await client.get('/me')).status).toBe(200);
  expect((await client.post('/refresh', { refreshToken })).body.code).toBe('SESSION_REVOKED');
  service.advance(15 * 60_000);
  expect((await client.get('/me')).body.code).toBe('INVALID_TOKEN');
});

test('with SESSION_CHECK=refresh the token of a deleted user is worth nothing either', async () => {
  const service = await startTestService({ SESSION_CHECK: 'refresh' });
  const { client, user } = await signInAs(service);
  await removeUserRow(service, user.id);
  expect((await client.get('/me')).body.code).toBe('INVALID_TOKEN');
});

test('with SESSION_CHECK=refresh a disabled user is out at once', async () => {
  const service = await startTestService({ SESSION_CHECK: 'refresh' });
  const { client, user } = await signInAs(service);
  await disableUser(service.services, user.id, {});
  const { status, body } = await client.get('/me');
  expect([status, body.code]).toEqual([401, 'SESSION_REVOKED']);
});

test('race: a session that was being opened while the account was disabled opens nothing', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service, { email: 'eve@example.com' });
  await disableUser(service.services, user.id, {});
  // The sign-in had looked at the account before, and ends now.
  const { client, refreshToken } = await signInAs(service, { email: 'eve@example.com' });
  expect((await client.get('/me')).body.code).toBe('SESSION_REVOKED');
  const refreshed = await client.post('/refresh', { refreshToken });
  expect(refreshed.body.code).toBe('ACCOUNT_DISABLED');
});
