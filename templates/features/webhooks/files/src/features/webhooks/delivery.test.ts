import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import {
  addEndpoint,
  deliveriesOf,
  publish,
  type Received,
  startReceiver,
  untilState,
} from '../../../test/receiver.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { changeWebhook } from '../webhook-configs/save-webhook.js';
import type { WebhookConfig } from '../webhook-configs/store.js';
import { newSecret } from './signing.js';

const DAY_MS = 24 * 60 * 60_000;

function hexSignature(secret: string, text: string): string {
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
}

/** Whether a library of Standard Webhooks accepts a request; a secret without prefix is its key as it is. */
function verifies({ text, headers }: Received, secret: string, body = text): boolean {
  const key = secret.startsWith('whsec_') ? secret : Buffer.from(secret).toString('base64');
  try {
    return Boolean(new Webhook(key).verify(body, headers as Record<string, string>));
  } catch {
    return false;
  }
}

test('an event is sent in the form of the specification, without where the call came from', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  const { client, user, sessionId } = await signInAs(service);
  await addEndpoint(service, { url: receiver.url });
  await client.post('/logout', {}, { 'user-agent': 'a-telling-browser' });
  await receiver.until(2);
  const logout = receiver.received.find(({ body }) => body.event === 'identity.auth.logout');
  const fields = ['event', 'version', 'timestamp', 'data', 'metadata'];
  expect(Object.keys(logout?.body ?? {})).toEqual(fields);
  expect(logout?.body).toMatchObject({ version: '1', data: { sessionId } });
  expect(logout?.body.metadata).toEqual({ userId: user.id, correlationId: expect.any(String) });
  expect(logout?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-webhook-event': 'identity.auth.logout',
    'x-webhook-delivery': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-webhook-timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  expect(logout?.headers['x-webhook-signature']).toBeUndefined();
  expect(logout?.text).not.toContain('a-telling-browser');
});

test.each([
  ['a generated', newSecret()],
  ['a chosen', 'a-shared-secret'],
])('%s secret signs the very bytes sent, in both forms', async (_, secret) => {
  const service = await startTestService();
  const receiver = await startReceiver();
  await addEndpoint(service, { url: receiver.url, secret });
  publish(service);
  for (const request of await receiver.until(1)) {
    expect(request.headers['x-webhook-signature']).toBe(hexSignature(secret, request.text));
    expect(verifies(request, secret)).toBe(true);
    expect(verifies(request, secret, request.text.replace('logout', 'login'))).toBe(false);
  }
});

test('after a rotation both secrets verify for a day, the hex signature with the new one alone', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  const before = newSecret();
  const config = await addEndpoint(service, { url: receiver.url, secret: before });
  const after = newSecret();
  await changeWebhook(service.services, config, { secret: after });
  publish(service);
  for (const request of await receiver.until(1)) {
    expect([verifies(request, before), verifies(request, after)]).toEqual([true, true]);
    expect(request.headers['x-webhook-signature']).toBe(hexSignature(after, request.text));
  }
  service.advance(DAY_MS + 1000);
  publish(service);
  const [, later] = await receiver.until(2);
  expect(String(later?.headers['webhook-signature']).split(' ')).toHaveLength(1);
});

test('a secret that is removed after a rotation no longer signs', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  const config = await addEndpoint(service, { url: receiver.url, secret: newSecret() });
  await changeWebhook(service.services, config, { secret: newSecret() });
  await changeWebhook(service.services, config, { secret: null });
  publish(service);
  const [unsigned] = await receiver.until(1);
  expect(unsigned?.headers['x-webhook-signature']).toBeUndefined();
  expect(unsigned?.headers['webhook-signature']).toBeUndefined();
});

test('after a change nothing more is sent as before: to the old URL, or to an endpoint that is inactive or deleted', async () => {
  const service = await startTestService();
  const { services } = service;
  const later = await startReceiver();
  let arrived = 0;
  const former = await startReceiver((response) => {
    arrived += 1;
    setTimeout(() => response.end(), 100);
  });
  const changes = [
    (config: WebhookConfig) => changeWebhook(services, config, { url: later.url }),
    (config: WebhookConfig) => changeWebhook(services, config, { isActive: false }),
    (config: WebhookConfig) => services.webhookConfigs.delete(config.id),
  ];
  const configs = await Promise.all(changes.map(() => addEndpoint(service, { url: former.url })));
  for (let count = 0; count < 20; count += 1) publish(service);
  await former.until(12);
  await Promise.all(configs.map((config, at) => changes[at]?.(config)));
  const before = arrived;
  await later.until(8);
  await sleep(500);
  expect(arrived).toBe(before);
});

test('only endpoints that are active, of the tenant and of the event get it', async () => {
  const service = await startTestService();
  const { url, until } = await startReceiver();
  const add = (fields: object) => addEndpoint(service, { url, ...fields });
  const wanted = [{}, { events: ['identity.auth.logout'] }, { tenantId: 'acme' }];
  const others = [
    { isActive: false },
    { events: ['identity.user.created'] },
    { tenantId: 'other' },
  ];
  const [wanting, uninterested] = await Promise.all([
    Promise.all(wanted.map(add)),
    Promise.all(others.map(add)),
  ]);
  publish(service, { tenantId: 'acme' });
  await until(3);
  for (const config of wanting) expect(await deliveriesOf(service, config)).toHaveLength(1);
  for (const config of uninterested) expect(await deliveriesOf(service, config)).toHaveLength(0);
});

test('a transaction that is rolled back sends nothing', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  const config = await addEndpoint(service, { url: receiver.url });
  const work = service.services.transaction(async ({ events }) => {
    events.publish('identity.auth.logout', { sessionId: 'test' }, {});
    throw new Error('too late');
  });
  await expect(work).rejects.toThrow('too late');
  expect(await deliveriesOf(service, config)).toEqual([]);
});

test('race: a webhook that is deleted during a request to it holds up no other', async () => {
  const service = await startTestService();
  const receiver = await startReceiver((response) => setTimeout(() => response.end(), 200));
  const config = await addEndpoint(service, { url: receiver.url });
  publish(service);
  await receiver.until(1);
  await service.services.webhookConfigs.delete(config.id);
  const other = await addEndpoint(service, { url: receiver.url });
  publish(service);
  await untilState(service, other, 'delivered');
});
