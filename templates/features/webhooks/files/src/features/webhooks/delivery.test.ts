import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import {
  addEndpoint,
  deliveriesOf,
  publish,
  startReceiver,
  untilHolds,
} from '../../../test/receiver.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { inTransaction } from '../../services.js';
import { rotateSecret } from './rotate-secret.js';
import { newSecret } from './signature.js';

test('a receiver is told of an event in the form of the specification', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  const { client, user, sessionId } = await signInAs(service);
  await addEndpoint(service, { url: receiver.url });
  await client.post('/logout');
  const [first] = await receiver.until(2);
  const told = receiver.received.find(({ body }) => body.event === 'identity.auth.logout');
  expect(Object.keys(told?.body ?? {})).toEqual([
    'event',
    'version',
    'timestamp',
    'data',
    'metadata',
  ]);
  expect(told?.body).toMatchObject({ version: '1', data: { sessionId } });
  expect(told?.body.metadata).toEqual({ userId: user.id, correlationId: expect.any(String) });
  expect(told?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-webhook-event': 'identity.auth.logout',
    'x-webhook-delivery': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-webhook-timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  expect(first?.headers['x-webhook-signature']).toBeUndefined();
});

test('the hex signature is that of the very bytes sent', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  await addEndpoint(service, { url: receiver.url, secret: 'a-shared-secret' });
  publish(service);
  const [told] = await receiver.until(1);
  const hex = createHmac('sha256', 'a-shared-secret')
    .update(told?.text ?? '')
    .digest('hex');
  expect(told?.headers['x-webhook-signature']).toBe(`sha256=${hex}`);
});

test('the verifier of Standard Webhooks accepts generated and chosen secrets', async () => {
  const service = await startTestService();
  for (const secret of [newSecret(), 'a-shared-secret']) {
    const receiver = await startReceiver();
    await addEndpoint(service, { url: receiver.url, secret });
    publish(service);
    const [told] = await receiver.until(1);
    const key = secret.startsWith('whsec_') ? secret : Buffer.from(secret).toString('base64');
    const headers = told?.headers as Record<string, string>;
    expect(new Webhook(key).verify(told?.text ?? '', headers)).toEqual(told?.body);
    const forged = told?.text.replace('logout', 'login') ?? '';
    expect(() => new Webhook(key).verify(forged, headers)).toThrow();
  }
});

test('after a rotation both secrets verify for a day, the hex signature with the new one alone', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  const before = newSecret();
  const config = await addEndpoint(service, { url: receiver.url, secret: before });
  const after = await rotateSecret(service.services, config);
  publish(service);
  const [told] = await receiver.until(1);
  const headers = told?.headers as Record<string, string>;
  for (const secret of [before, after]) {
    expect(new Webhook(secret).verify(told?.text ?? '', headers)).toEqual(told?.body);
  }
  const hex = createHmac('sha256', after)
    .update(told?.text ?? '')
    .digest('hex');
  expect(headers['x-webhook-signature']).toBe(`sha256=${hex}`);
  service.advance(24 * 60 * 60_000 + 1000);
  publish(service);
  const [, later] = await receiver.until(2);
  expect(String(later?.headers['webhook-signature']).split(' ')).toHaveLength(1);
});

test('only endpoints that are active, of the tenant and of the event are told', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  const { url } = receiver;
  const wanted = [
    await addEndpoint(service, { url }),
    await addEndpoint(service, { url, events: ['identity.auth.logout'] }),
    await addEndpoint(service, { url, tenantId: 'acme' }),
  ];
  const others = [
    await addEndpoint(service, { url, isActive: false }),
    await addEndpoint(service, { url, events: ['identity.user.created'] }),
    await addEndpoint(service, { url, tenantId: 'other' }),
  ];
  publish(service, { tenantId: 'acme' });
  await receiver.until(3);
  for (const config of wanted) expect(await deliveriesOf(service, config)).toHaveLength(1);
  for (const config of others) expect(await deliveriesOf(service, config)).toHaveLength(0);
});

test('a transaction that is rolled back tells nobody', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  const config = await addEndpoint(service, { url: receiver.url });
  const work = inTransaction(service.services, async ({ events }) => {
    events.publish('identity.auth.logout', { sessionId: 'test' }, {});
    throw new Error('too late');
  });
  await expect(work).rejects.toThrow('too late');
  expect(await deliveriesOf(service, config)).toEqual([]);
});

test('where the call came from stays within the service', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  const { client } = await signInAs(service);
  await addEndpoint(service, { url: receiver.url });
  await client.post('/logout', {}, { 'user-agent': 'a-telling-browser' });
  await receiver.until(2);
  for (const { text } of receiver.received) {
    expect(text).not.toContain('a-telling-browser');
    expect(text).not.toContain('origin');
  }
});

test('a webhook that is deleted while it is told harms nobody', async () => {
  const service = await startTestService();
  const receiver = await startReceiver((response) => setTimeout(() => response.end(), 200));
  const config = await addEndpoint(service, { url: receiver.url });
  publish(service);
  await receiver.until(1);
  await service.services.webhookConfigs.delete(config.id);
  const other = await addEndpoint(service, { url: receiver.url });
  publish(service);
  await untilHolds(
    async () => (await deliveriesOf(service, other))[0]?.state === 'delivered',
    'the other endpoint',
  );
});
