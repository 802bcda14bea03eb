import { expect, test } from 'vitest';
import { addRole, signInAtAdmin } from '../../../test/administrator.js';
import { addScript, callTools } from '../../../test/inbound.js';
import { startTestService } from '../../../test/service.js';

const SCRIPT =
  "const said = await actions['echo.say'](body); result = { event: 'x.y', data: said }";

test('an inbound webhook needs no url, and shows its script', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  const fields = { provider: 'acme', jsScript: SCRIPT, allowedActions: ['echo.say'] };
  const { status, body } = await client.post('/webhooks', fields);
  expect(status).toBe(201);
  const defaults = { events: ['*'], secret: null, signature: 'service' };
  expect(body.webhook).toMatchObject({ ...fields, ...defaults });
  const again = await client.post('/webhooks', fields);
  expect([again.status, again.body.code]).toEqual([409, 'WEBHOOK_EXISTS']);
  const path = `/webhooks/${body.webhook.id}`;
  expect((await client.patch(path, { maxRetries: 1 })).status).toBe(400);
  expect((await client.patch(path, { signature: 'none' })).status).toBe(400);
  const { body: patched } = await client.patch(path, { signature: 'github' });
  expect(patched.webhook).toMatchObject({ ...fields, signature: 'github' });
  const { body: refused } = await client.patch(path, { jsScript: "import('x')" });
  expect(refused.details).toEqual([
    { path: 'jsScript', message: expect.stringContaining('import') },
  ]);
});

test.each([
  { provider: 'acme', jsScript: "await import('node:fs')" },
  { provider: 'acme', jsScript: '}; async () => {' },
  { provider: 'a/b', jsScript: '' },
  { provider: 'acme' },
  { jsScript: '' },
])('attack: %j is refused when it is saved', async (fields) => {
  const { client } = await signInAtAdmin(await startTestService());
  const { status, body } = await client.post('/webhooks', fields);
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
});

test('a script disables an administrator, but not the last one', async () => {
  const service = await startTestService();
  const [ada, bob] = [await signInAtAdmin(service), await signInAtAdmin(service)];
  const disable = "await actions['users.disable'](body)";
  await addScript(service, disable, {}, ['users.find', 'users.disable']);
  for (const { user } of [ada, bob]) await callTools(service, { id: user.id });
  expect((await ada.client.get('/ping')).status).toBe(401);
  expect((await bob.client.get('/ping')).status).toBe(200);
});

test('actions are listed, enabled, and used by a dry run that emits nothing', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
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
  expect(seen).toMatchObject({ total: 1, failed: 0, runs: [{ event: 'x.y', error: null }] });
});

test('attack: whoever may write webhooks gives a script no action that they may not do themselves', async () => {
  const service = await startTestService();
  const { client: admin } = await signInAtAdmin(service);
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
    await clerk.post(`${path}/dry-run`, { body: {} }),
  ]) {
    expect(answer.body.code).toBe('FORBIDDEN');
  }
  expect((await clerk.patch(path, { isActive: false })).status).toBe(200);
  expect((await admin.get(path)).body.webhook).toMatchObject({ ...script, isActive: false });
});

test('attack: a webhook whose actions change something is never without a secret', async () => {
  const { client } = await signInAtAdmin(await startTestService());
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
