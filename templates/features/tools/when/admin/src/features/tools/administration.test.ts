import { expect, test } from 'vitest';
import { signInAtAdmin } from '../../../test/administrator.js';
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
