import { expect, test } from 'vitest';
import { actionsOf, signInAtAdmin } from '../../../test/administrator.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

test('sessions of all users are listed, and filtered by user, address and ip', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service, { email: 'root@example.com' });
  const ada = await signInAs(service, { email: 'ada@example.com' });
  await signInAs(service, { email: 'ada@example.com' });
  expect((await client.get('/sessions')).body.total).toBe(3);
  for (const filter of [ada.user.id, 'ada@', 'ADA']) {
    const { body } = await client.get(`/sessions?filter=${filter}`);
    expect([filter, body.total]).toEqual([filter, 2]);
    expect(body.sessions[0]).toMatchObject({ userId: ada.user.id, email: 'ada@example.com' });
  }
  expect((await client.get('/sessions?filter=127.0.0')).body.total).toBe(3);
  expect((await client.get('/sessions?limit=1')).body).toMatchObject({ total: 3 });
});

test('one session, or all of a user, end at once', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  const one = await signInAs(service, { email: 'ada@example.com' });
  const two = await signInAs(service, { email: 'ada@example.com' });
  expect((await client.delete(`/sessions/${one.sessionId}`)).body).toEqual({ success: true });
  expect((await one.client.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect((await two.client.get('/me')).status).toBe(200);
  expect((await client.get(`/users/${two.user.id}/sessions`)).body.total).toBe(1);
  await client.delete(`/users/${two.user.id}/sessions`);
  expect((await two.client.get('/me')).body.code).toBe('SESSION_REVOKED');
  const gone = await client.delete(`/sessions/${one.sessionId}`);
  expect([gone.status, gone.body.code]).toEqual([404, 'SESSION_NOT_FOUND']);
  expect(await actionsOf(service)).toEqual(
    expect.arrayContaining(['DELETE /sessions/{handle}', 'DELETE /users/{id}/sessions']),
  );
});

test('a setting that does not exist is ignored, and the answer has the current settings', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  const { body: before } = await client.get('/settings');
  const { status, body } = await client.send('PUT', '/settings', { noSuchSetting: true });
  expect([status, body]).toEqual([200, { success: true, ...before }]);
  expect((await client.get('/settings')).body).toEqual(before);
  expect(await actionsOf(service)).toContain('PUT /settings');
});
