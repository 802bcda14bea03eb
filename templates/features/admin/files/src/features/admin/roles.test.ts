import { expect, test } from 'vitest';
import { actionsOf, addRole, signInAtAdmin } from '../../../test/administrator.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

test('a role is created, changed, given, taken and deleted, with effect at once', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  const ada = await signInAs(service);
  const permissionsOf = async () => (await ada.client.get('/me')).body.permissions;

  const role = { name: 'editor', permissions: ['posts:write'] };
  const created = await client.post('/roles', role);
  expect([created.status, created.body]).toEqual([201, { role }]);
  expect((await client.post('/roles', role)).body.code).toBe('ROLE_EXISTS');
  expect((await client.post(`/users/${ada.user.id}/roles`, { role: 'editor' })).status).toBe(200);
  expect(await permissionsOf()).toEqual(['posts:write']);
  await client.send('PUT', '/roles/editor', { permissions: ['posts:read'] });
  expect(await permissionsOf()).toEqual(['posts:read']);
  expect((await client.get(`/users/${ada.user.id}/roles`)).body).toMatchObject({ total: 2 });
  expect((await client.delete(`/users/${ada.user.id}/roles/editor`)).status).toBe(200);
  expect(await permissionsOf()).toEqual([]);
  const gone = await client.delete(`/users/${ada.user.id}/roles/editor`);
  expect([gone.status, gone.body.code]).toEqual([404, 'ROLE_NOT_FOUND']);
  await client.post(`/users/${ada.user.id}/roles`, { role: 'editor' });
  expect((await client.delete('/roles/editor')).body).toEqual({ success: true });
  expect(await permissionsOf()).toEqual([]);
  const told = (await service.events()).map(({ event }) => event);
  expect(told.filter((event) => event === 'identity.role.assigned')).toHaveLength(2);
  expect(told.filter((event) => event === 'identity.role.revoked')).toHaveLength(2);
  const acts = (await actionsOf(service)).filter((action) => action.includes('/roles'));
  expect(new Set(acts)).toEqual(
    new Set([
      'POST /roles',
      'PUT /roles/{name}',
      'DELETE /roles/{name}',
      'POST /users/{id}/roles',
      'DELETE /users/{id}/roles/{name}',
    ]),
  );
});

test('a malformed role is refused', async () => {
  const { client } = await signInAtAdmin(await startTestService());
  for (const role of [
    { name: 'Upper', permissions: [] },
    { name: 'fine', permissions: ['nocolon'] },
    { name: 'fine', permissions: ['a:b:c'] },
    { name: 'fine' },
  ]) {
    const { status, body } = await client.post('/roles', role);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  }
});

test('the roles that the service relies on cannot be changed or deleted', async () => {
  const { client } = await signInAtAdmin(await startTestService());
  for (const name of ['admin', 'user']) {
    expect((await client.delete(`/roles/${name}`)).body.code).toBe('ROLE_PROTECTED');
    const { body } = await client.send('PUT', `/roles/${name}`, { permissions: [] });
    expect(body.code).toBe('ROLE_PROTECTED');
  }
});

test('attack: whoever may edit roles cannot make themselves an administrator', async () => {
  const service = await startTestService();
  await addRole(service, 'clerk', ['roles:read', 'roles:write', 'users:read']);
  await addRole(service, 'boss', ['users:write']);
  const { client, user } = await signInAtAdmin(service, { role: 'clerk' });
  const refusals = [
    await client.post(`/users/${user.id}/roles`, { role: 'admin' }),
    await client.post(`/users/${user.id}/roles`, { role: 'boss' }),
    await client.post('/roles', { name: 'mine', permissions: ['*:*'] }),
    await client.post('/roles', { name: 'mine', permissions: ['users:*'] }),
    await client.send('PUT', '/roles/clerk', { permissions: ['users:write'] }),
    await client.delete('/roles/boss'),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
  expect((await client.post('/roles', { name: 'less', permissions: ['users:read'] })).status).toBe(
    201,
  );
});
