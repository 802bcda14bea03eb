import { expect, test } from 'vitest';
import { actionsOf, addRole, signInAtAdmin } from '../../../test/administrator.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

test('users are listed with a true total, a page at a time, and filtered by address', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service, { email: 'root@example.com' });
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
});

test('a list refuses a page that is none', async () => {
  const { client } = await signInAtAdmin(await startTestService());
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'limit=1.5']) {
    const { status, body } = await client.get(`/users?${query}`);
    expect([query, status, body.code]).toEqual([query, 400, 'VALIDATION_FAILED']);
  }
});

test('a user is created with a role, once', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
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

test('attack: fields that the API does not know are ignored, never taken over', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  const { status, body } = await client.post('/users', {
    email: 'a@example.com',
    id: 'x',
    isEmailVerified: true,
    roles: ['admin'],
    metadata: { plan: 'pro' },
  });
  expect(status).toBe(201);
  expect(body.user).toMatchObject({ isEmailVerified: false, roles: ['user'], metadata: {} });
  expect(body.user.id).not.toBe('x');
});

test('the lists of one user come a page at a time as well, filtered, with a true total', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  const ada = await signInAs(service, { email: 'ada@example.com' });
  for (let count = 0; count < 24; count += 1) {
    await signInAs(service, { email: 'ada@example.com' });
    await addRole(service, `role-${count}`, []);
    await client.post(`/users/${ada.user.id}/roles`, { role: `role-${count}` });
  }
  for (const list of ['sessions', 'roles']) {
    const at = (query: string) => client.get(`/users/${ada.user.id}/${list}?${query}`);
    const sizes = async (query: string) => {
      const { body } = await at(query);
      return [body[list].length, body.total];
    };
    expect(await sizes('')).toEqual([20, 25]);
    expect(await sizes('offset=20')).toEqual([5, 25]);
    expect(await sizes('filter=nowhere')).toEqual([0, 0]);
    expect((await at('limit=0')).status).toBe(400);
  }
});

test('a disabled user is signed out at once and stays out until enabled', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  const ada = await signInAs(service);
  expect((await client.post(`/users/${ada.user.id}/disable`)).body).toEqual({ success: true });
  expect((await ada.client.get('/me')).status).toBe(401);
  const { refreshToken } = ada;
  expect((await ada.client.post('/refresh', { refreshToken })).status).toBe(401);
  expect((await client.get(`/users/${ada.user.id}`)).body.user.isDisabled).toBe(true);
  expect((await client.post(`/users/${ada.user.id}/enable`)).status).toBe(200);
  expect((await client.get(`/users/${ada.user.id}`)).body.user.isDisabled).toBe(false);
});

test('a deleted user is gone, and the event says who deleted', async () => {
  const service = await startTestService();
  const { client, user: admin } = await signInAtAdmin(service);
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

test('attack: whoever may write users cannot act on those who may do more', async () => {
  const service = await startTestService();
  const admin = await signInAs(service, { role: 'admin' });
  await signInAs(service, { role: 'admin' });
  await addRole(service, 'helpdesk', ['users:read', 'users:write']);
  const { client } = await signInAtAdmin(service, { role: 'helpdesk' });
  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/disable'],
    ['PUT', '/metadata'],
  ] as const) {
    const { status } = await client.send(method, `/users/${admin.user.id}${path}`, {});
    expect([method, path, status]).toEqual([method, path, 403]);
  }
  const { status } = await client.post('/users', { email: 'b@example.com', role: 'admin' });
  expect(status).toBe(403);
  expect((await admin.client.get('/me')).status).toBe(200);
});

test('the last administrator can neither be disabled nor deleted, nor lose the role', async () => {
  const service = await startTestService();
  const { client, user } = await signInAtAdmin(service);
  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/disable'],
    ['DELETE', '/roles/admin'],
  ] as const) {
    const { status, body } = await client.send(method, `/users/${user.id}${path}`, {});
    expect([status, body.code]).toEqual([409, 'LAST_ADMINISTRATOR']);
  }
  await signInAs(service, { role: 'admin' });
  expect((await client.delete(`/users/${user.id}/roles/admin`)).status).toBe(200);
  expect((await client.get('/users')).status).toBe(403);
});

test('metadata is read and replaced', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  const ada = await signInAs(service, { metadata: { name: 'Ada' } });
  const path = `/users/${ada.user.id}/metadata`;
  expect((await client.get(path)).body).toEqual({ metadata: { name: 'Ada' } });
  expect((await client.send('PUT', path, { plan: 'pro' })).body).toEqual({
    success: true,
    metadata: { plan: 'pro' },
  });
  expect((await ada.client.get('/me')).body.metadata).toEqual({ plan: 'pro' });
});

test('every act is in the audit log, with who did it, to whom and from where', async () => {
  const service = await startTestService();
  const { client, user: admin } = await signInAtAdmin(service);
  const ada = await signInAs(service);
  const { id } = ada.user;
  await client.send('PUT', `/users/${id}/metadata`, { secretPlan: 'x' });
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
  const { body } = await client.get(`/audit?filter=metadata&target=${id}`);
  expect(body.total).toBe(1);
  expect(body.audit[0]).toMatchObject({
    actor: admin.id,
    target: id,
    ip: '127.0.0.1',
    userAgent: 'node',
    correlationId: expect.any(String),
    details: { fields: ['secretPlan'] },
  });
  expect(JSON.stringify(body)).not.toContain('"x"');
});

test('an act that fails has not happened, and is not in the log', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  expect((await client.post('/users/none/disable')).body.code).toBe('NOT_FOUND');
  const done = (await actionsOf(service)).filter((action) => action.includes('/users'));
  expect(done).toEqual([]);
});

test('race: of 20 parallel deletions of the two last administrators one is left', async () => {
  const service = await startTestService();
  const one = await signInAtAdmin(service);
  const two = await signInAtAdmin(service);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0
        ? one.client.delete(`/users/${two.user.id}`)
        : two.client.delete(`/users/${one.user.id}`),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.every(({ status }) => status < 500)).toBe(true);
  expect(await service.services.roles.holders('admin')).toHaveLength(1);
});
