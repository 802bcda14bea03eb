import { expect, test } from 'vitest';
import { startTestService, type TestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';

async function createRole({ services }: TestService, name: string, permissions: string[]) {
  const role = { name, permissions: JSON.stringify(permissions) };
  await services.db.insertInto('roles').values(role).execute();
}

test('an administrator holds every permission', async () => {
  const { client } = await signInAs(await startTestService(), { role: 'admin' });
  const { body } = await client.get('/me');
  expect(body).toMatchObject({ role: 'admin', roles: ['admin'], permissions: ['*:*'] });
});

test.each([
  ['sessions:cleanup', 200],
  ['sessions:*', 200],
  ['*:cleanup', 200],
  ['*:*', 200],
  ['sessions:read', 403],
  ['session:cleanup', 403],
  ['sessions', 403],
  ['sessions:cleanup:all', 403],
  ['', 403],
])('of a role with "%s" sessions:cleanup is answered %i', async (permission, expected) => {
  const service = await startTestService();
  await createRole(service, 'keeper', [permission]);
  const { client } = await signInAs(service, { role: 'keeper' });
  expect((await client.post('/sessions/cleanup')).status).toBe(expected);
});

test('permissions of several roles add up', async () => {
  const service = await startTestService();
  await createRole(service, 'reader', ['reports:read']);
  await createRole(service, 'keeper', ['sessions:cleanup', 'reports:read']);
  const { client, user } = await signInAs(service, { role: 'reader' });
  service.advance(1_000);
  await service.services.userRoles.assign(user.id, 'keeper');
  const { body } = await client.get('/me');
  expect(body).toMatchObject({
    role: 'reader',
    roles: ['reader', 'keeper'],
    permissions: ['reports:read', 'sessions:cleanup'],
  });
});

test('a role that is given or taken counts at once, whatever the token says', async () => {
  const service = await startTestService();
  const { client, user } = await signInAs(service);
  expect((await client.post('/sessions/cleanup')).status).toBe(403);
  await service.services.userRoles.assign(user.id, 'admin');
  expect((await client.post('/sessions/cleanup')).status).toBe(200);
  await service.services.db.deleteFrom('user_roles').where('user_id', '=', user.id).execute();
  expect((await client.post('/sessions/cleanup')).body.code).toBe('FORBIDDEN');
  expect((await client.get('/me')).body).toMatchObject({ role: 'user', permissions: [] });
});

test('a role that does not exist cannot be given, and none is given twice', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  const { userRoles } = service.services;
  expect(await userRoles.assign(user.id, 'emperor')).toBe(false);
  expect(await userRoles.assign(user.id, 'user')).toBe(false);
});
