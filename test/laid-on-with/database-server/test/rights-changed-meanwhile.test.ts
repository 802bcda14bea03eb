import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { changeSetting } from '../src/features/admin/settings.js';
import { rolesStore } from '../src/features/roles/feature.js';
import { addRole, signInAtAdmin, startWithAdmin } from './administrator.js';
import { closedGate } from './gate.js';
import { meanwhile } from './hold.js';

test('attack: nobody takes from a role a permission that they lack, at the moment when it is added', async () => {
  const { service } = await startWithAdmin();
  await addRole(service, 'editor', []);
  await addRole(service, 'role-writer', ['roles:write']);
  const { client } = await signInAtAdmin(service, { role: 'role-writer' });
  const { status } = await meanwhile(
    service,
    (db) => rolesStore(db).setPermissions({ name: 'editor', permissions: ['users:write'] }),
    () => client.send('PUT', '/roles/editor', { permissions: [] }),
  );
  expect(status).toBe(403);
  expect((await service.services.roles.find('editor'))?.permissions).toEqual(['users:write']);
});

test('attack: nobody enables an action whose permission they lack, at the moment when it is disabled', async () => {
  const { service, client: root } = await startWithAdmin();
  const { services } = service;
  const name = 'enabledWebhookActions';
  const actions = ['users.disable'] as const;
  expect((await root.send('PUT', '/settings', { [name]: actions })).status).toBe(200);
  await addRole(service, 'settings-writer', ['settings:write']);
  const { client } = await signInAtAdmin(service, { role: 'settings-writer' });
  const { user, sessionId } = await signInAtAdmin(service);
  const account = await services.users.findAccount(user.id);
  if (!account) throw new Error('The account is gone.');
  const caller = { ...account, sessionId, via: 'bearer' } as const;
  const gate = closedGate();
  const disabling = services.transaction(async (tx) => {
    await changeSetting({ caller, details: {}, services: tx }, name, []);
    await gate.opened;
  });
  await sleep(400);
  const enabling = client.send('PUT', '/settings', { [name]: actions });
  await sleep(400);
  gate.open();
  await disabling;
  expect((await enabling).status).toBe(403);
  expect(await services.settings.get(name)).toEqual([]);
});
