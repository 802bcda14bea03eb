import { expect, test } from 'vitest';
import { addRole, atAdmin, signInAtAdmin } from '../../../test/administrator.js';
import { nativeClient } from '../../../test/client.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInBrowserAs } from '../../../test/sign-in-as.js';
import { mountsOf, type Route } from '../../http/route.js';
import { adminPrefix } from './feature.js';

function routesOf({ services }: TestService): Route[] {
  const mount = mountsOf(services).find(({ prefix }) => prefix === adminPrefix(services.config));
  return (mount?.routes ?? []).filter(({ path }) => path !== '/openapi.json');
}

function requestsOf(service: TestService) {
  return routesOf(service).map(({ method, path }) => ({
    method,
    path: path.replaceAll(/\{\w+\}/g, 'x'),
  }));
}

test('attack: no route answers anybody who is not signed in, whatever they accept', async () => {
  const service = await startTestService();
  for (const { method, path } of requestsOf(service)) {
    for (const accept of ['application/json', 'text/html']) {
      const body = method === 'GET' ? undefined : {};
      const answer = await nativeClient(atAdmin(service)).send(method, path, body, { accept });
      expect([method, path, answer.status, answer.body.code]).toEqual([
        method,
        path,
        401,
        'INVALID_TOKEN',
      ]);
    }
  }
});

test('attack: no route answers a user without the permission', async () => {
  const service = await startTestService();
  await addRole(service, 'nobody', ['unrelated:read', 'admin:*x']);
  for (const role of ['user', 'nobody']) {
    const { client } = await signInAtAdmin(service, { role });
    for (const { method, path } of requestsOf(service)) {
      const { status, body } = await client.send(method, path, method === 'GET' ? undefined : {});
      expect([method, path, status, body.code]).toEqual([method, path, 403, 'FORBIDDEN']);
    }
  }
});

test('attack: a page of another site cannot act with the cookies of an administrator', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service, { role: 'admin' });
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  for (const { method, path } of requestsOf(service).filter(({ method }) => method !== 'GET')) {
    const { status, body } = await nativeClient(atAdmin(service)).send(
      method,
      path,
      {},
      { cookie },
    );
    expect([method, path, status, body.code]).toEqual([method, path, 403, 'CSRF_INVALID']);
  }
});

test('a permission that is taken away is gone at the next request', async () => {
  const service = await startTestService();
  await addRole(service, 'reader', ['users:read']);
  const { client, user } = await signInAtAdmin(service, { role: 'reader' });
  expect((await client.get('/users')).status).toBe(200);
  await service.services.roles.revoke(user.id, 'reader');
  expect((await client.get('/users')).status).toBe(403);
});

test('/ping tells what there is to administer', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  const { body } = await client.get('/ping');
  expect(body).toEqual({ ok: true, features: expect.arrayContaining(['admin', 'roles']) });
});
