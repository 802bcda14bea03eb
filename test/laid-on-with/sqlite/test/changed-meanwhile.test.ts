import { expect, test } from 'vitest';
import { addRole, startWithAdmin } from './administrator.js';
import { addEndpoint, publish, startReceiver, untilState } from './receiver.js';
import { signedInVisitor, startWithPages } from './visitor.js';

test('attack: a permission that was taken from a role meanwhile does not come back with a form of an old tab', async () => {
  const service = await startWithPages();
  const { roles } = service.services;
  await addRole(service, 'helpdesk', ['users:read', 'users:write']);
  const { person } = await signedInVisitor(service, { role: 'admin' });
  await person.open('/admin/roles/helpdesk');
  await roles.setPermissions({ name: 'helpdesk', permissions: ['sessions:read', 'users:read'] });
  expect((await person.submit('permissions', { 'permission audit:read': 'on' })).status).toBe(200);
  const permissions = ['audit:read', 'sessions:read', 'users:read'];
  expect(await roles.find('helpdesk')).toEqual({ name: 'helpdesk', permissions });
});

test('attack: an action that was turned off meanwhile is not turned on by a form of an old tab', async () => {
  const service = await startWithPages();
  const { settings } = service.services;
  const name = 'enabledWebhookActions';
  await settings.set(name, ['users.disable', 'users.find']);
  const { person } = await signedInVisitor(service, { role: 'admin' });
  await person.open('/admin/actions');
  await settings.set(name, ['users.find']);
  await person.submit('save', { 'action echo.say': 'on' });
  expect(await settings.get(name)).toEqual(['users.find', 'echo.say']);
});

test('an event that the former URL of an endpoint refused last is sent to the new one, whose failures begin at 0', async () => {
  const { service, client } = await startWithAdmin();
  const former = await startReceiver((response) =>
    setTimeout(() => response.writeHead(500).end(), 800),
  );
  const { url, until } = await startReceiver();
  const endpoint = await addEndpoint(service, { url: former.url, maxRetries: 0 });
  publish(service);
  await former.until(1);
  await client.patch(`/webhooks/${endpoint.id}`, { url });
  await until(1);
  await untilState(service, endpoint, 'delivered');
});
