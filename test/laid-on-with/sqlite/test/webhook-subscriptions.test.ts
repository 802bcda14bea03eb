import { expect, test } from 'vitest';
import { startWithAdmin } from './administrator.js';
import { addScript } from './inbound.js';
import { addEndpoint, deliveriesOf, startReceiver, verifies } from './receiver.js';
import { startTestService } from './service.js';

test('an endpoint gets the events that it names, to the letter, and an inbound webhook gets none', async () => {
  const service = await startTestService();
  const { db, events } = service.services;
  const endpoint = (name: string) =>
    addEndpoint(service, { url: 'http://127.0.0.1:1/', events: [name] });
  const exact = await endpoint('order_paid');
  const others = [await endpoint('ORDER_PAID'), await endpoint('orderXpaid')];
  const inbound = await addScript(service, '');

  for (const name of ['order_paid', 'orderXpai_', 'order%']) events.publishNamed(name, null, {});
  await service.events();

  expect(await deliveriesOf(service, exact)).toHaveLength(1);
  for (const other of [...others, inbound]) {
    expect(await deliveriesOf(service, other)).toHaveLength(0);
  }
  expect(await db.selectFrom('webhook_events').select('name').execute()).toEqual([
    { name: 'order_paid' },
  ]);
});

test('two inbound webhooks share no provider, not even after a change', async () => {
  const { client } = await startWithAdmin();
  const create = async (provider: string) =>
    (await client.post('/webhooks', { provider, jsScript: '' })).body.webhook.id;
  await create('acme');
  const id = await create('other');
  const { status, body } = await client.patch(`/webhooks/${id}`, { provider: 'acme' });
  expect([status, body.code]).toEqual([409, 'WEBHOOK_EXISTS']);
  expect((await client.get(`/webhooks/${id}`)).body.webhook.provider).toBe('other');
});

test('a change of another field leaves the old secret its 24 hours', async () => {
  const { client } = await startWithAdmin();
  const { url, until } = await startReceiver();
  const fields = { url, events: ['none.such'], secret: 'the first secret' };
  const { id } = (await client.post('/webhooks', fields)).body.webhook;
  await client.post(`/webhooks/${id}/rotate-secret`);
  await client.patch(`/webhooks/${id}`, { maxRetries: 3 });
  await client.post(`/webhooks/${id}/test`);
  const [received] = await until(1);
  expect(received && verifies(received, 'the first secret')).toBe(true);
});

test('a webhook that has no secret though its actions now change data can be turned off', async () => {
  const { service, client } = await startWithAdmin();
  const { id } = await addScript(service, '', { allowedActions: ['mail.send'] });
  const path = `/webhooks/${id}`;
  expect((await client.patch(path, { events: ['*'] })).body.code).toBe('SECRET_REQUIRED');
  expect((await client.patch(path, { isActive: false })).status).toBe(200);
});
