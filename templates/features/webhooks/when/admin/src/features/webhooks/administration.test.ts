import { expect, test } from 'vitest';
import { addRole, signInAtAdmin, startWithAdmin } from '../../../test/administrator.js';
import type { Client } from '../../../test/client.js';
import { startReceiver, untilHolds } from '../../../test/receiver.js';
import { signInAs } from '../../../test/sign-in-as.js';

test('a webhook is created, read, changed and deleted; its secret is never shown', async () => {
  const { client } = await startWithAdmin();
  const fields = { url: 'https://example.com/hook', events: ['*'], secret: 'a-shared-secret' };
  const { status, body } = await client.post('/webhooks', fields);
  expect(status).toBe(201);
  expect(body.webhook).toMatchObject({ ...fields, secret: '***', isActive: true, maxRetries: 3 });
  const path = `/webhooks/${body.webhook.id}`;
  expect((await client.get(path)).body).toEqual(body);
  const changed = await client.patch(path, { isActive: false, secret: '***' });
  expect(changed.body.webhook).toMatchObject({ isActive: false, secret: '***', url: fields.url });
  expect((await client.patch(path, { secret: null })).body.webhook.secret).toBeNull();
  const list = await client.get('/webhooks?filter=example.com');
  expect(list.body.total).toBe(1);
  expect(JSON.stringify(list.body)).not.toContain('a-shared-secret');
  expect((await client.delete(path)).body).toEqual({ success: true });
  for (const answer of [await client.get(path), await client.delete(path)]) {
    expect([answer.status, answer.body.code]).toEqual([404, 'WEBHOOK_NOT_FOUND']);
  }
  const { audit } = (await client.get(`/audit?target=${body.webhook.id}`)).body;
  const acts = ['DELETE', 'PATCH', 'PATCH'].map((method) => `${method} /webhooks/{id}`);
  expect(audit).toMatchObject([...acts, 'POST /webhooks'].map((action) => ({ action })));
});

test('attack: a webhook that is incomplete, or leads nowhere, is refused', async () => {
  const { client } = await startWithAdmin();
  for (const fields of [
    {},
    { url: 'https://example.com' },
    { url: 'ftp://example.com', events: ['*'] },
    { url: 'https://user:word@example.com', events: ['*'] },
    { url: 'nonsense', events: ['*'] },
    { url: 'https://example.com', events: [] },
    { url: 'https://example.com', events: ['a b'] },
    { url: 'https://example.com', events: ['*'], id: 'mine' },
    { url: 'https://example.com', events: ['*'], maxRetries: -1 },
    { url: 'https://example.com', events: ['*'], retryDelayMs: 0.5 },
    { url: 'https://example.com', events: ['*'], jsScript: 'result = 1' },
    // Decodes to an empty key, which everybody knows.
    { url: 'https://example.com', events: ['*'], secret: 'whsec_!!' },
  ]) {
    const { status, body } = await client.post('/webhooks', fields);
    expect([fields, status, body.code]).toEqual([fields, 400, 'VALIDATION_FAILED']);
    expect(body.details.length).toBeGreaterThan(0);
  }
});

test('a test event reaches this endpoint alone; its delivery is logged and can be replayed', async () => {
  const { client } = await startWithAdmin();
  const receiver = await startReceiver((response) => response.end('thanks'));
  const other = await startReceiver();
  const add = async (url: string) =>
    (await client.post('/webhooks', { url, events: ['none.such'] })).body.webhook.id;
  const id = await add(receiver.url);
  await add(other.url);
  expect((await client.post(`/webhooks/${id}/test`)).body).toEqual({ success: true });
  const [told] = await receiver.until(1);
  expect(told?.body.event).toBe('identity.webhook.test');

  const deliveries = async () => (await client.get(`/webhooks/${id}/deliveries`)).body;
  await untilHolds(
    async () => (await deliveries()).deliveries[0]?.state === 'delivered',
    'the log',
  );
  const { deliveries: list, total } = await deliveries();
  expect(total).toBe(1);
  const { body } = await client.get(`/deliveries/${list[0].id}`);
  expect(body.delivery).toMatchObject({ state: 'delivered', attemptCount: 1, nextAt: null });
  expect(body.delivery.attempts[0]).toMatchObject({ status: 200, response: 'thanks', error: null });
  expect((await client.post(`/deliveries/${list[0].id}/replay`)).body).toEqual({ success: true });
  const [first, second] = await receiver.until(2);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(other.received).toEqual([]);
  expect((await client.post('/deliveries/none/replay')).status).toBe(404);

  // Nothing is promised that would be sent only after it is activated again.
  await client.patch(`/webhooks/${id}`, { isActive: false });
  for (const path of [`/webhooks/${id}/test`, `/deliveries/${list[0].id}/replay`]) {
    expect((await client.post(path)).body.code).toBe('WEBHOOK_INACTIVE');
  }
});

test('a webhook without a secret is given one; a new secret is shown once', async () => {
  const { client } = await startWithAdmin();
  const created = await client.post('/webhooks', { url: 'https://example.com', events: ['*'] });
  const { id, secret } = created.body.webhook;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  const unsigned = { url: 'https://example.com', events: ['*'], secret: null };
  expect((await client.post('/webhooks', unsigned)).body.webhook.secret).toBeNull();
  const { body } = await client.post(`/webhooks/${id}/rotate-secret`);
  expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  expect((await client.get(`/webhooks/${id}`)).body.webhook.secret).toBe('***');
  const { body: audit } = await client.get('/audit?filter=rotate');
  expect(audit.total).toBe(1);
  for (const shown of [secret, body.secret]) expect(JSON.stringify(audit)).not.toContain(shown);
});

test('once its receiver is repaired, a paused webhook is sent a test or a replay at once', async () => {
  const { service, client } = await startWithAdmin();
  const { webhooks } = service.services;
  const receiver = await startReceiver();
  const { body } = await client.post('/webhooks', { url: receiver.url, events: ['none.such'] });
  const { id } = body.webhook;
  const pause = () => webhooks.addFailures(id, 20, true);
  await pause();
  await client.post(`/webhooks/${id}/test`);
  await receiver.until(1);
  await pause();
  const [delivery] = (await client.get(`/webhooks/${id}/deliveries`)).body.deliveries;
  await client.post(`/deliveries/${delivery.id}/replay`);
  await receiver.until(2);
  // Activated again, it has five days anew.
  await pause();
  service.advance(6 * 24 * 60 * 60_000);
  const later = await signInAtAdmin(service);
  await later.client.patch(`/webhooks/${id}`, { isActive: true });
  expect(await webhooks.addFailures(id, 1, true)).toBeGreaterThan(Date.now() - 60_000);
});

test('an export of a person leaves out events of which the caller may not read deliveries', async () => {
  const { service, client } = await startWithAdmin();
  const receiver = await startReceiver();
  await client.post('/webhooks', { url: receiver.url, events: ['*'] });
  const ada = await signInAs(service, { email: 'ada@example.com' });
  await receiver.until(1);
  await addRole(service, 'support', ['admin:access', 'users:read']);
  const support = await signInAtAdmin(service, { role: 'support' });
  const exported = async (reader: Client) =>
    Object.keys((await reader.get(`/users/${ada.user.id}/export`)).body.data);
  expect(await exported(client)).toContain('webhook_events');
  expect(await exported(support.client)).not.toContain('webhook_events');
});
