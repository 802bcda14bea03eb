import { expect, test } from 'vitest';
import {
  addEndpoint,
  deliveriesOf,
  publish,
  startReceiver,
  untilHolds,
} from '../../../test/receiver.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { delayAfter } from './next-try.js';

const DAY_MS = 24 * 60 * 60_000;

async function stateOf(service: TestService, config: { id: string }): Promise<string | undefined> {
  return (await deliveriesOf(service, config))[0]?.state;
}

test('a failed delivery is tried again, under the same message id, as a new delivery each time', async () => {
  const service = await startTestService();
  const receiver = await startReceiver((response, count) => {
    response.writeHead(count < 3 ? 500 : 204).end('not yet');
  });
  const config = await addEndpoint(service, { url: receiver.url, retryDelayMs: 50 });
  publish(service);
  const tries = await receiver.until(3);
  await untilHolds(async () => (await stateOf(service, config)) === 'delivered', 'the delivery');
  expect(new Set(tries.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(tries.map(({ headers }) => headers['x-webhook-delivery'])).size).toBe(3);
  expect(new Set(tries.map(({ text }) => text)).size).toBe(1);

  const [delivery] = await deliveriesOf(service, config);
  const found = await service.services.webhooks.log.find(delivery?.id ?? '');
  expect(found?.attempts.map(({ status }) => status)).toEqual([500, 500, 204]);
  expect(found?.attempts[0]?.response).toBe('not yet');
  expect(found?.attempts.map(({ id }) => id)).toEqual(
    tries.map(({ headers }) => headers['x-webhook-delivery']),
  );
});

test('after maxRetries a delivery is given up, and can be replayed by hand', async () => {
  const service = await startTestService();
  let isUp = false;
  const receiver = await startReceiver((response) => response.writeHead(isUp ? 200 : 503).end());
  const config = await addEndpoint(service, { url: receiver.url, maxRetries: 2, retryDelayMs: 20 });
  publish(service);
  await untilHolds(async () => (await stateOf(service, config)) === 'exhausted', 'the end');
  expect(receiver.received).toHaveLength(3);
  isUp = true;
  const [delivery] = await deliveriesOf(service, config);
  expect(await service.services.webhooks.queue.replay(delivery?.id ?? '')).toBe(true);
  await untilHolds(async () => (await stateOf(service, config)) === 'delivered', 'the replay');
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
});

test('retries keep their times while an endpoint pauses: what fails otherwise does not put them off', async () => {
  const service = await startTestService();
  const receiver = await startReceiver((response) => response.writeHead(500).end());
  const config = await addEndpoint(service, { url: receiver.url, maxRetries: 3, retryDelayMs: 20 });
  for (let count = 0; count < 4; count += 1) publish(service);
  await untilHolds(async () => {
    const deliveries = await deliveriesOf(service, config);
    return deliveries.length === 4 && deliveries.every(({ state }) => state === 'exhausted');
  }, 'the end of all');
  expect(receiver.received).toHaveLength(16);
});

test.each<[string, () => string]>([
  ['seconds', () => '3600'],
  ['a date', () => new Date(Date.now() + 3_600_000).toUTCString()],
])('Retry-After in %s is honoured', async (_form, retryAfter) => {
  const service = await startTestService();
  const receiver = await startReceiver((response) =>
    response.writeHead(503, { 'retry-after': retryAfter() }).end(),
  );
  const config = await addEndpoint(service, { url: receiver.url, retryDelayMs: 1 });
  const start = Date.now();
  publish(service);
  await untilHolds(async () => (await stateOf(service, config)) === 'retrying', 'the first try');
  const [delivery] = await deliveriesOf(service, config);
  expect(delivery?.nextAt).toBeGreaterThan(start + 3_590_000);
});

test('a receiver that is gone (410) is told nothing more, and others learn of it', async () => {
  const service = await startTestService();
  const gone = await startReceiver((response) => response.writeHead(410).end());
  const other = await startReceiver();
  const config = await addEndpoint(service, { url: gone.url });
  await addEndpoint(service, { url: other.url, events: ['identity.webhook.deactivated'] });
  publish(service);
  const [told] = await other.until(1);
  expect(told?.body.data).toEqual({ webhookId: config.id, reason: 'gone' });
  expect((await service.services.webhookConfigs.find(config.id))?.isActive).toBe(false);
  publish(service);
  await service.events();
  expect(gone.received).toHaveLength(1);
});

test('an endpoint whose deliveries have all been given up for five days is deactivated', async () => {
  const service = await startTestService();
  const receiver = await startReceiver((response) => response.writeHead(500).end());
  const config = await addEndpoint(service, { url: receiver.url, maxRetries: 0 });
  publish(service);
  await untilHolds(async () => (await stateOf(service, config)) === 'exhausted', 'the first end');
  service.advance(5 * DAY_MS + 1000);
  publish(service);
  await untilHolds(
    async () => !(await service.services.webhookConfigs.find(config.id))?.isActive,
    'the deactivation',
  );
});

test('a redirect is a failure and is not followed', async () => {
  const service = await startTestService();
  const elsewhere = await startReceiver();
  const receiver = await startReceiver((response) =>
    response.writeHead(302, { location: elsewhere.url }).end(),
  );
  const config = await addEndpoint(service, { url: receiver.url, maxRetries: 0 });
  publish(service);
  await untilHolds(async () => (await stateOf(service, config)) === 'exhausted', 'the end');
  expect(elsewhere.received).toEqual([]);
});

test('the delay doubles up to a day, with a tenth of jitter, and never undercuts Retry-After', () => {
  const endpoint = { maxRetries: 3, retryDelayMs: 1000 };
  for (const [tries, least] of [
    [1, 1000],
    [2, 2000],
    [3, 4000],
  ] as const) {
    for (let round = 0; round < 50; round += 1) {
      const delay = delayAfter(endpoint, tries) ?? 0;
      expect(delay).toBeGreaterThanOrEqual(least);
      expect(delay).toBeLessThanOrEqual(least * 1.1);
    }
  }
  expect(delayAfter(endpoint, 4)).toBeUndefined();
  expect(delayAfter(endpoint, 1, 60_000)).toBe(60_000);
  expect(delayAfter({ maxRetries: 20, retryDelayMs: 1000 }, 20)).toBeLessThanOrEqual(DAY_MS * 1.1);
});
