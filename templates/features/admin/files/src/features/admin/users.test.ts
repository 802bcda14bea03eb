import { expect, test } from 'vitest';
import { actionsOf, addRole, signInAtAdmin, startWithAdmin } from '../../../test/administrator.js';
import { signInAs } from '../../../test/sign-in-as.js';

test('users are listed with a true total, a page at a time, and filtered by address', async () => {
  const { service, client } = await startWithAdmin({}, { email: 'root@example.com' });
  for (let count = 0; count < 25; count += 1) {
    await signInAs(service, { email: `user${count}@example.com` });
  }
  const first = await client.get('/users');
  expect([first.body.users.length, first.body.total]).toEqual([20, 26]);
  const second = await client.get('/users?limit=20&offset=20');
  expect([second.body.users.length, second.body.total]).toEqual([6, 26]);
  const some = await client.get('/users?filter=USER1');
  expect(some.body.total).toBe(11);
  const none = await client.get('/users?filter=%25');
  expect(none.body.total).toBe(0);
  const [{ id = '' } = {}] = some.body.users;
  await service.services.users.updateMetadata(id, { name: 'Özil' });
  const named = await client.get(`/users?filter=${encodeURIComponent('Özil')}`);
  expect(named.body.total).toBe(1);
});

test('a user is created with a role, and not twice', async () => {
  const { service, client } = await startWithAdmin();
  await addRole(service, 'editor', ['posts:write']);
  const { status, body } = await client.post('/users', {
    email: 'New@Example.com',
    role: 'editor',
  });
  expect(status).toBe(201);
  expect(body.user).toMatchObject({ email: 'new@example.com', roles: ['editor'] });
  expect((await client.get(`/users/${body.user.id}`)).body.user).toEqual(body.user);
  const again = await client.post('/users', { email: 'new@example.com' });
  expect([again.status, again.body.code]).toEqual([409, 'USER_EXISTS']);
  const created = (await service.events()).filter(({ event }) => event === 'identity.user.created');
  expect(created.at(-1)?.metadata.userId).toBe(body.user.id);
});

test('a disabled user is signed out at once and stays out until enabled', async () => {
  const { service, client } = await startWithAdmin();
  const ada = await signInAs(service);
  expect((await client.post(`/users/${ada.user.id}/disable`)).body).toEqual({ success: true });
  expect((await ada.client.get('/me')).status).toBe(401);
  const { refreshToken } = ada;
  expect((await ada.client.post('/refresh', { refreshToken })).status).toBe(401);
  expect((await client.get(`/users/${ada.user.id}`)).body.user.isDisabled).toBe(true);
  expect((await client.post(`/users/${ada.user.id}/enable`)).status).toBe(200);
  expect((await client.get(`/users/${ada.user.id}`)).body.user.isDisabled).toBe(false);
});

test('a deleted user is gone, and the event names the administrator', async () => {
  const { service, client, user: admin } = await startWithAdmin();
  const ada = await signInAs(service);
  expect((await client.delete(`/users/${ada.user.id}`)).body).toEqual({ success: true });
  expect((await client.get(`/users/${ada.user.id}`)).body.code).toBe('NOT_FOUND');
  expect((await ada.client.get('/me')).body.code).toBe('INVALID_TOKEN');
  const deleted = (await service.events()).find(({ event }) => event === 'identity.user.deleted');
  expect(deleted).toMatchObject({
    data: { source: 'admin' },
    metadata: { userId: ada.user.id },
    origin: { actor: admin.id },
  });
});

test('the last administrator can neither be disabled nor deleted, nor lose the role', async () => {
  const { service, client, user } = await startWithAdmin();
  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/disable'],
    ['DELETE', '/roles/admin'],
  ] as const) {
    const { status, body } = await client.send(method, `/users/${user.id}${path}`, {});
    expect([status, body.code]).toEqual([409, 'LAST_ADMIN']);
  }
  await signInAs(service, { role: 'admin' });
  expect((await client.delete(`/users/${user.id}/roles/admin`)).status).toBe(200);
  expect((await client.get('/users')).status).toBe(403);
});

test('every act is in the audit log, with its actor, target and IP address, but no value of metadata', async () => {
  const { service, client, user: admin } = await startWithAdmin();
  const ada = await signInAs(service);
  const { id } = ada.user;
  const metadata = { name: 'Ada', url: 'https://ada.example', provider: 'acme' };
  await client.send('PUT', `/users/${id}/metadata`, metadata);
  const { body } = await client.get(`/audit?filter=metadata&target=${id}`);
  await client.post(`/users/${id}/disable`);
  await client.post(`/users/${id}/enable`);
  await client.delete(`/users/${id}`);
  await client.post('/users', { email: 'new@example.com' });
  const done = (await actionsOf(service)).filter((action) => action.includes('/users'));
  expect(done.sort()).toEqual([
    'DELETE /users/{id}',
    'POST /users',
    'POST /users/{id}/disable',
    'POST /users/{id}/enable',
    'PUT /users/{id}/metadata',
  ]);
  expect(body.total).toBe(1);
  expect(body.audit[0]).toMatchObject({
    actor: admin.id,
    target: id,
    ip: '127.0.0.1',
    userAgent: 'node',
    correlationId: expect.any(String),
    details: { fields: Object.keys(metadata) },
  });
  expect(Object.keys(body.audit[0].details)).toEqual(['fields']);
});

test('an export has all data stored about a user, no secrets, and nothing about others', async () => {
  const { service, client, user: root } = await startWithAdmin();
  const ada = await signInAs(service, { email: 'ada@example.com' });
  await ada.client.patch('/profile', { firstName: 'Ada' });
  await client.post(`/users/${ada.user.id}/roles`, { role: 'user' });
  const { status, body } = await client.get(`/users/${ada.user.id}/export`);
  expect(status).toBe(200);
  expect(body.data.users).toMatchObject([
    { email: 'ada@example.com', metadata: { firstName: 'Ada' } },
  ]);
  expect(body.data.sessions).toMatchObject([{ user_id: ada.user.id }]);
  const text = JSON.stringify(body);
  expect(text).not.toMatch(/hash|secret|refresh_id/);
  expect(body.data.audit_log.map(({ action }: { action: string }) => action)).toContain(
    'POST /users/{id}/roles',
  );
  expect((await actionsOf(service))[0]).toBe('GET /users/{id}/export');
  expect((await client.get('/users/nobody/export')).status).toBe(404);
  expect(text).not.toContain(root.email);

  await addRole(service, 'support', ['admin:access', 'users:read']);
  const support = await signInAtAdmin(service, { role: 'support' });
  const log = (await support.client.get(`/users/${ada.user.id}/export`)).body.data.audit_log ?? [];
  expect(log.map(({ actor }: { actor: string }) => actor)).not.toContain(root.id);
});

test('one session, or all of a user, end at once', async () => {
  const { service, client } = await startWithAdmin();
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
