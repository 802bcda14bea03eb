import { expect, test } from 'vitest';
import {
  addEndpoint,
  deliveriesOf,
  hexSignature,
  publish,
  startReceiver,
  untilState,
  verifies,
} from '../../../test/receiver.js';
import { openLog, startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { newSecret } from './signing.js';

test('an event is sent as specified, without the IP and device of the request', async () => {
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

test('only active endpoints of its tenant that subscribe to the event get it', async () => {
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

test('a failed delivery is tried again, under the same message id, as a new delivery each time', async () => {
  const service = await startTestService();
  const receiver = await startReceiver((response, count) => {
    response.writeHead(count < 3 ? 500 : 204).end('not yet');
  });
  const config = await addEndpoint(service, { url: receiver.url, retryDelayMs: 50 });
  publish(service);
  const requests = await receiver.until(3);
  const delivery = await untilState(service, config, 'delivered');
  const deliveryIds = requests.map(({ headers }) => headers['x-webhook-delivery']);
  expect(new Set(deliveryIds).size).toBe(3);
  expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(requests.map(({ text }) => text)).size).toBe(1);

  const found = await service.services.webhooks.log.find(delivery.id);
  expect(found?.attempts.map(({ status }) => status)).toEqual([500, 500, 204]);
  expect(found?.attempts[0]?.response).toBe('not yet');
  expect(found?.attempts.map(({ id }) => id)).toEqual(deliveryIds);
});

test('after maxRetries a delivery is given up, each failure is logged, and it can be replayed by hand', async () => {
  const { log, lines } = openLog('warn');
  const service = await startTestService({}, { log });
  let isUp = false;
  const receiver = await startReceiver((response) => response.writeHead(isUp ? 200 : 503).end());
  const config = await addEndpoint(service, { url: receiver.url, maxRetries: 2, retryDelayMs: 20 });
  publish(service);
  const { id } = await untilState(service, config, 'exhausted');
  expect(receiver.received).toHaveLength(3);
  const told = lines.filter((line) => line.includes('a webhook was not delivered'));
  expect(told.map((line) => JSON.parse(line).status)).toEqual([503, 503, 503]);
  isUp = true;
  await service.services.webhooks.log.replay(id);
  await untilState(service, config, 'delivered');
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
});
