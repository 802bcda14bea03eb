import { expect, test } from 'vitest';
import { actionsOf, addRole, signInAtAdmin, startWithAdmin } from './administrator.js';
import { addScript, callTools } from './inbound.js';
import { addEndpoint } from './receiver.js';
import { createUser } from './sign-in-as.js';

test('attack: enabling what an action depends on requires the permission of that action', async () => {
  const { service } = await startWithAdmin();
  await addRole(service, 'clerk', ['settings:write', 'users:read']);
  const { client } = await signInAtAdmin(service, { role: 'clerk' });
  const { id } = await createUser(service, 'ada@example.com');
  const script = "await actions['users.disable'](body)";
  await addScript(service, script, {}, ['users.disable']);
  const put = (enabledWebhookActions: string[]) =>
    client.send('PUT', '/settings', { enabledWebhookActions });
  expect((await put(['users.disable', 'users.find'])).body.code).toBe('FORBIDDEN');
  await callTools(service, { id });
  await service.idle();
  expect((await service.services.users.findById(id))?.disabledAt).toBeNull();
  expect((await put(['users.find'])).status).toBe(200);
});

test('attack: who may create users but not give roles creates none with a role of their choice', async () => {
  const { service, client: admin } = await startWithAdmin();
  await addRole(service, 'clerk', ['users:write']);
  await addRole(service, 'vip', []);
  const { client, user } = await signInAtAdmin(service, { role: 'clerk' });
  const vip = { email: 'new@example.com', role: 'vip', password: 'correct horse battery' };
  expect((await client.post(`/users/${user.id}/roles`, { role: 'vip' })).body.code).toBe(
    'FORBIDDEN',
  );
  expect((await client.post('/users', vip)).body.code).toBe('FORBIDDEN');
  expect((await client.post('/users', { ...vip, role: undefined })).status).toBe(201);
  expect((await admin.post('/users', { ...vip, email: 'two@example.com' })).status).toBe(201);
});

test('attack: a webhook is not emptied for somebody who lost the permission, nor without an entry', async () => {
  const { service } = await startWithAdmin();
  await addRole(service, 'hooks', ['webhooks:write']);
  const { client, user } = await signInAtAdmin(service, { role: 'hooks' });
  const { id } = await addEndpoint(service, { url: 'https://hook.example.com/' });
  const { webhookConfigs, roles, transaction, webhooks } = service.services;
  for (let count = 0; count < 20; count += 1) {
    await transaction(async (tx) => {
      const event = { name: 'x', user_id: null, body: '{}' };
      for (let each = 0; each < 100; each += 1) await tx.webhooks.queue.enqueue(event, [id]);
    });
  }
  const deleted = client.delete(`/webhooks/${id}`);
  while ((await webhookConfigs.find(id))?.isActive) await new Promise(setImmediate);
  await roles.revoke(user.id, 'hooks');
  const { status } = await deleted;
  const { rest } = await webhooks.log.list(id, { limit: 1, offset: 0 });
  const isLogged = (await actionsOf(service)).includes('DELETE /webhooks/{id}');
  expect([status === 200, rest.total === 0]).toEqual([isLogged, isLogged]);
});
