import { expect, test } from 'vitest';
import {
  actionsOf,
  addRole,
  atAdmin,
  signInAtAdmin,
  startWithAdmin,
} from '../../../test/administrator.js';
import { type Client, nativeClient } from '../../../test/client.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs, signInBrowserAs } from '../../../test/sign-in-as.js';
import { mountsOf } from '../../http/route.js';
import { adminPrefix } from './feature.js';

/** A request to each route of the administration. */
function requestsOf({ services }: TestService) {
  const mount = mountsOf(services).find(({ prefix }) => prefix === adminPrefix(services.config));
  return (mount?.routes ?? [])
    .filter(({ path }) => path !== '/openapi.json')
    .map(({ method, path }) => ({ method, path: path.replaceAll(/\{\w+\}/g, 'x') }));
}

const changesOf = (service: TestService) =>
  requestsOf(service).filter(({ method }) => method !== 'GET');

async function expectEach(
  client: Client,
  requests: ReturnType<typeof requestsOf>,
  refusal: [status: number, code: string],
  headers: Record<string, string> = {},
): Promise<void> {
  for (const { method, path } of requests) {
    const sent = method === 'GET' ? undefined : {};
    const { status, body } = await client.send(method, path, sent, headers);
    expect([method, path, status, body.code]).toEqual([method, path, ...refusal]);
  }
}

test('attack: no route answers without a sign-in, whatever the Accept header', async () => {
  const service = await startTestService();
  for (const accept of ['application/json', 'text/html']) {
    const stranger = nativeClient(atAdmin(service));
    await expectEach(stranger, requestsOf(service), [401, 'INVALID_TOKEN'], { accept });
  }
});

test('attack: no route answers a user without the permission', async () => {
  const service = await startTestService();
  await addRole(service, 'nobody', ['unrelated:read', 'admin:*x']);
  for (const role of ['user', 'nobody']) {
    const { client } = await signInAtAdmin(service, { role });
    await expectEach(client, requestsOf(service), [403, 'FORBIDDEN']);
  }
});

test('attack: a page of another site cannot act with the cookies of an administrator', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service, { role: 'admin' });
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const page = nativeClient(atAdmin(service));
  await expectEach(page, changesOf(service), [403, 'CSRF_INVALID'], { cookie });
});

test('a revoked permission is gone at the next request', async () => {
  const service = await startTestService();
  await addRole(service, 'reader', ['users:read']);
  const { client, user } = await signInAtAdmin(service, { role: 'reader' });
  expect((await client.get('/users')).status).toBe(200);
  await service.services.roles.revoke(user.id, 'reader');
  expect((await client.get('/users')).status).toBe(403);
});

test('/ping lists what can be administered', async () => {
  const { client } = await startWithAdmin();
  const { body } = await client.get('/ping');
  expect(body).toEqual({ ok: true, features: expect.arrayContaining(['admin', 'roles']) });
});

test('attack: an ended session reads nothing, whatever SESSION_CHECK is', async () => {
  const { service, client, user } = await startWithAdmin({ SESSION_CHECK: 'refresh' });
  await service.services.sessions.revokeAllOfUser(user.id);
  await expectEach(client, requestsOf(service), [401, 'SESSION_REVOKED']);
});

test('attack: an old session of an administrator changes nothing without a new proof', async () => {
  const { service, client } = await startWithAdmin({ ACCESS_TOKEN_TTL: '1h' });
  service.advance(16 * 60_000);
  expect((await client.get('/users')).status).toBe(200);
  await expectEach(client, changesOf(service), [403, 'REAUTHENTICATION_REQUIRED']);
});

test('a role is created, changed, given, taken and deleted, with effect at once', async () => {
  const { service, client } = await startWithAdmin();
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

test('the roles that the service relies on cannot be changed or deleted', async () => {
  const { client } = await startWithAdmin();
  for (const name of ['admin', 'user']) {
    expect((await client.delete(`/roles/${name}`)).body.code).toBe('ROLE_PROTECTED');
    const { body } = await client.send('PUT', `/roles/${name}`, { permissions: [] });
    expect(body.code).toBe('ROLE_PROTECTED');
  }
});
