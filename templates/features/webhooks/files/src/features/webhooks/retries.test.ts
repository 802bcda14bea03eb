import { expect, test } from 'vitest';
import {
  addEndpoint,
  deliveriesOf,
  publish,
  startReceiver,
  untilHolds,
  untilState,
} from '../../../test/receiver.js';
import { startTestService } from '../../../test/service.js';
import type { Config } from '../../config.js';
import { createLog } from '../../process/log.js';
import { retryDelay } from './attempt.js';

const DAY_MS = 24 * 60 * 60_000;

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
  const lines: string[] = [];
  const log = createLog({ LOG_LEVEL: 'warn' } as Config, { write: (line) => lines.push(line) });
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
  expect(await service.services.webhooks.log.replay(id)).toBe(true);
  await untilState(service, config, 'delivered');
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
});

test('retries keep their times while an endpoint is paused', async () => {
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
  const { nextAt } = await untilState(service, config, 'retrying');
  expect(nextAt).toBeGreaterThan(start + 3_590_000);
});

test('a receiver that is gone (410) is deactivated, its delivery has failed, and others are told', async () => {
  const service = await startTestService();
  const gone = await startReceiver((response) => response.writeHead(410).end());
  const other = await startReceiver();
  const config = await addEndpoint(service, { url: gone.url });
  await addEndpoint(service, { url: other.url, events: ['identity.webhook.deactivated'] });
  publish(service);
  const [request] = await other.until(1);
  expect(request?.body.data).toEqual({ webhookId: config.id, reason: 'gone' });
  const [delivery] = await deliveriesOf(service, config);
  expect(delivery?.state).toBe('failed');
  expect((await service.services.webhookConfigs.find(config.id))?.isActive).toBe(false);
  publish(service);
  await service.events();
  expect(gone.received).toHaveLength(1);
});

test('a 410 ends the other deliveries of the endpoint too', async () => {
  const service = await startTestService();
  let isGone = false;
  const gone = await startReceiver((response) => response.writeHead(isGone ? 410 : 500).end());
  const config = await addEndpoint(service, { url: gone.url, retryDelayMs: 3_600_000 });
  for (let count = 0; count < 3; count += 1) publish(service);
  await untilHolds(async () => {
    const states = (await deliveriesOf(service, config)).map(({ state }) => state);
    return states.join() === 'retrying,retrying,retrying';
  }, 'three failures');
  isGone = true;
  publish(service);
  await untilHolds(async () => {
    const states = (await deliveriesOf(service, config)).map(({ state }) => state);
    return states.length === 4 && states.every((state) => state === 'failed');
  }, 'the end of all');
});

test('a clock that is set back holds up neither a retry nor a new delivery', async () => {
  const service = await startTestService();
  const receiver = await startReceiver((response, count) =>
    response.writeHead(count < 2 ? 500 : 200).end(),
  );
  const config = await addEndpoint(service, { url: receiver.url, retryDelayMs: 1_000 });
  publish(service);
  await untilState(service, config, 'retrying');
  const start = performance.now();
  service.advance(-3_600_000);
  publish(service);
  await receiver.until(3);
  expect(performance.now() - start).toBeLessThan(10_000);
});

test('an endpoint whose deliveries have all been given up for five days is deactivated', async () => {
  const service = await startTestService();
  const receiver = await startReceiver((response) => response.writeHead(500).end());
  const config = await addEndpoint(service, { url: receiver.url, maxRetries: 0 });
  publish(service);
  await untilState(service, config, 'exhausted');
  service.advance(5 * DAY_MS + 1000);
  publish(service);
  await untilHolds(
    async () => !(await service.services.webhookConfigs.find(config.id))?.isActive,
    'the deactivation',
  );
});

test('the delay doubles up to a day, with a tenth of jitter, and never undercuts Retry-After', () => {
  const endpoint = { maxRetries: 20, retryDelayMs: 1000 };
  const expected = [1000, 2000, 4000];
  for (const [index, least] of Array(20).fill(expected).flat().entries()) {
    const delay = retryDelay(endpoint, (index % expected.length) + 1) ?? 0;
    expect(delay).toBeGreaterThanOrEqual(least);
    expect(delay).toBeLessThanOrEqual(least * 1.1);
  }
  expect(retryDelay(endpoint, 21)).toBeUndefined();
  expect(retryDelay(endpoint, 1, 60_000)).toBe(60_000);
  expect(retryDelay(endpoint, 20)).toBeLessThanOrEqual(DAY_MS * 1.1);
});
