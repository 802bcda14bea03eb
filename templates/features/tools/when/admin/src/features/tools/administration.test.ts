import { expect, test } from 'vitest';
import { addRole, signInAtAdmin, startWithAdmin } from '../../../test/administrator.js';
import { callTools } from '../../../test/inbound.js';

const SCRIPT =
  "const said = await actions['echo.say'](body); result = { event: 'x.y', data: said }";

test.each([
  { provider: 'acme', jsScript: "await import('node:fs')" },
  { provider: 'acme', jsScript: '}; async () => {' },
  { provider: 'a/b', jsScript: '' },
  { provider: 'acme' },
  { jsScript: '' },
])('attack: %j is refused when it is saved', async (fields) => {
  const { client } = await startWithAdmin();
  const { status, body } = await client.post('/webhooks', fields);
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
});

test('actions are listed, enabled, and used by a dry run that emits nothing', async () => {
  const { service, client } = await startWithAdmin();
  const enabledOf = async () => {
    const { body } = await client.get('/actions');
    return Object.fromEntries(
      body.actions.map(({ id, enabled }: { id: string; enabled: boolean }) => [id, enabled]),
    );
  };
  expect(await enabledOf()).toMatchObject({ 'echo.say': false, 'users.disable': false });
  await client.send('PUT', '/settings', { enabledWebhookActions: ['echo.say'] });
  expect(await enabledOf()).toMatchObject({ 'echo.say': true, 'users.disable': false });

  const fields = { provider: 'acme', jsScript: SCRIPT, allowedActions: ['echo.say'] };
  const { id } = (await client.post('/webhooks', fields)).body.webhook;
  const before = (await service.events()).length;
  const { body } = await client.post(`/webhooks/${id}/dry-run`, { body: { a: 1 } });
  expect(body).toEqual({
    result: { event: 'x.y', data: { a: 1 } },
    error: null,
    log: [],
    calls: [{ id: 'echo.say', ok: true }],
    durationMs: expect.any(Number),
  });
  expect(await service.events()).toHaveLength(before);

  await callTools(service, { b: 2 });
  await service.events();
  const { body: seen } = await client.get(`/webhooks/${id}/runs`);
  expect(seen).toMatchObject({ total: 1, runs: [{ event: 'x.y', error: null }] });
});

test('attack: a writer of webhooks allows a script no action beyond their own permissions', async () => {
  const { service, client: admin } = await startWithAdmin();
  await addRole(service, 'clerk', ['webhooks:read', 'webhooks:write']);
  const { client: clerk } = await signInAtAdmin(service, { role: 'clerk' });
  const disabling = { allowedActions: ['users.find', 'users.disable'], secret: 'a-shared-secret' };
  const script = { provider: 'acme', jsScript: "await actions['users.disable'](body)" };
  expect((await clerk.post('/webhooks', { ...script, ...disabling })).body.code).toBe('FORBIDDEN');
  expect((await clerk.post('/webhooks', { ...script, provider: 'own' })).status).toBe(201);
  const { id } = (await admin.post('/webhooks', { ...script, ...disabling })).body.webhook;
  const path = `/webhooks/${id}`;
  for (const answer of [
    await clerk.patch(path, { jsScript: 'result = 1' }),
    await clerk.patch(path, { allowedActions: ['users.find'] }),
    await clerk.patch(path, { secret: 'known-to-the-clerk' }),
    await clerk.patch(path, { isActive: true }),
    await clerk.patch(path, { events: ['*'] }),
    await clerk.patch(path, { provider: 'another' }),
    await clerk.post(`${path}/dry-run`, { body: {} }),
  ]) {
    expect(answer.body.code).toBe('FORBIDDEN');
  }
  expect((await clerk.patch(path, { isActive: false })).status).toBe(200);
  expect((await admin.get(path)).body.webhook).toMatchObject({ ...script, isActive: false });
});

test('attack: a webhook whose actions change data always has a secret', async () => {
  const { client } = await startWithAdmin();
  const fields = { provider: 'acme', jsScript: '', allowedActions: ['mail.send'] };
  expect((await client.post('/webhooks', fields)).body.code).toBe('SECRET_REQUIRED');
  expect((await client.get('/webhooks')).body.total).toBe(0);
  const signed = { ...fields, secret: 'a-shared-secret' };
  const path = `/webhooks/${(await client.post('/webhooks', signed)).body.webhook.id}`;
  expect((await client.patch(path, { secret: null })).body.code).toBe('SECRET_REQUIRED');
  expect((await client.get(path)).body.webhook.secret).toBe('***');
  const both = { secret: null, allowedActions: ['echo.say'] };
  expect((await client.patch(path, both)).body.webhook.secret).toBe(null);
  const more = { allowedActions: ['users.disable'] };
  expect((await client.patch(path, more)).body.code).toBe('SECRET_REQUIRED');
});

test('attack: an editor of settings enables no action beyond their own permissions', async () => {
  const { service, client: admin } = await startWithAdmin();
  await addRole(service, 'clerk', ['settings:write', 'users:read', 'webhooks:write']);
  const { client: clerk } = await signInAtAdmin(service, { role: 'clerk' });
  const enable = (client: typeof clerk, enabledWebhookActions: string[] | null) =>
    client.send('PUT', '/settings', { enabledWebhookActions });
  const disabling = ['users.find', 'users.disable'];
  expect((await enable(clerk, disabling)).body.code).toBe('FORBIDDEN');
  // An action registered under this id later may do anything.
  expect((await enable(clerk, ['users.erase'])).body.code).toBe('VALIDATION_FAILED');
  const script = { provider: 'later', jsScript: '', allowedActions: ['users.erase'] };
  expect((await clerk.post('/webhooks', script)).body.code).toBe('FORBIDDEN');
  expect((await admin.get('/settings')).body.settings.enabledWebhookActions).toEqual([]);
  expect((await enable(clerk, ['users.find', 'echo.say'])).status).toBe(200);
  expect((await enable(admin, disabling)).status).toBe(200);
  // What is enabled already may stay, and be turned off.
  expect((await enable(clerk, [...disabling, 'echo.say'])).status).toBe(200);
  expect((await enable(clerk, null)).status).toBe(200);
});
