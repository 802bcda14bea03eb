import { expect, test } from 'vitest';
import { changeWebhook } from '../src/features/webhook-configs/feature.js';
import { retryDelay } from '../src/features/webhooks/attempt.js';
import { newSecret } from '../src/features/webhooks/signing.js';
import { randomId } from '../src/process/random.js';
import { stopWorkers } from '../src/services.js';
import { SECRETS } from './environment.js';
import { closedGate } from './gate.js';
import { runCommand } from './process.js';
import {
  addEndpoint,
  deliveriesOf,
  hexSignature,
  publish,
  startReceiver,
  untilHolds,
  untilState,
  verifies,
} from './receiver.js';
import { startTestService, type TestService } from './service.js';

const DAY_MS = 24 * 60 * 60_000;

/** Consecutive failures of the only webhook. */
async function failuresOf({ services: { db } }: TestService): Promise<number> {
  const counted = db.selectFrom('webhook_configs').select('failures');
  return (await counted.executeTakeFirstOrThrow()).failures;
}

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

test('the delay doubles up to a day, with a tenth of jitter; Retry-After is never undercut, but for years', () => {
  const endpoint = { maxRetries: 20, retryDelayMs: 1000 };
  const expected = [1000, 2000, 4000];
  for (const [index, least] of Array(20).fill(expected).flat().entries()) {
    const delay = retryDelay(endpoint, (index % expected.length) + 1) ?? 0;
    expect(delay).toBeGreaterThanOrEqual(least);
    expect(delay).toBeLessThanOrEqual(least * 1.1);
  }
  expect(retryDelay(endpoint, 21)).toBeUndefined();
  expect(retryDelay(endpoint, 1, 60_000)).toBe(60_000);
  expect(retryDelay(endpoint, 1, 365 * DAY_MS)).toBe(DAY_MS);
  expect(retryDelay(endpoint, 20)).toBeLessThanOrEqual(DAY_MS * 1.1);
});

test('attack: without the key of its secret a webhook is not sent unsigned, but held until the key is back', async () => {
  const old = 'the key that sealed the secret first';
  const sealing = await startTestService({ DATA_KEY: old });
  const receiver = await startReceiver();
  const secret = newSecret();
  const endpoint = await addEndpoint(sealing, { url: receiver.url, secret, maxRetries: 0 });
  await stopWorkers(sealing.services);
  const { DATABASE_URL } = sealing.config;
  const without = await startTestService({ DATABASE_URL });
  publish(without);
  await untilState(without, endpoint, 'retrying');
  const [held] = await deliveriesOf(without, endpoint);
  expect([held?.attempts, receiver.received]).toEqual([1, []]);
  const found = await without.services.webhooks.log.find(held?.id ?? '');
  expect(found?.attempts[0]?.error).toBe('Not sent: no key of DATA_KEY opens the secret.');
  expect(await failuresOf(without)).toBe(0);
  await stopWorkers(without.services);

  without.advance(5 * 60_000);
  const rotated = await startTestService({ DATABASE_URL, DATA_KEY: `${SECRETS.DATA_KEY},${old}` });
  const [request] = await receiver.until(1);
  expect(request && verifies(request, secret)).toBe(true);
  expect((await untilState(rotated, endpoint, 'delivered')).attempts).toBe(2);
});

test('requests that are aborted at shutdown are no failures of the endpoint', async () => {
  const service = await startTestService();
  const receiver = await startReceiver(() => {});
  const config = await addEndpoint(service, { url: receiver.url });
  for (let count = 0; count < 4; count += 1) publish(service);
  await receiver.until(4);
  await stopWorkers(service.services);
  const states = (await deliveriesOf(service, config)).map(({ state }) => state);
  expect([...states, await failuresOf(service)]).toEqual([...Array(4).fill('retrying'), 0]);
});

test('`webhooks test` reaches a paused endpoint at once', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  const { id } = await addEndpoint(service, { url: receiver.url, events: ['none.such'] });
  await service.services.webhooks.addFailures(id, 20, true);
  expect((await runCommand(service, 'webhooks', ['test', id])).code).toBe(0);
  const [request] = await receiver.until(1);
  expect(request?.body.event).toBe('identity.webhook.test');
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

test('after a rotation both secrets verify for a day, the hex signature with the new one alone', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  const before = newSecret();
  const config = await addEndpoint(service, { url: receiver.url, secret: before });
  const after = newSecret();
  // Sent twice, like a request whose response was lost.
  for (let sent = 0; sent < 2; sent += 1) {
    await changeWebhook(service.services, config, { secret: after });
  }
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

test('a receiver that is gone (410) is deactivated, all its deliveries have failed, and others are told', async () => {
  const service = await startTestService();
  let isGone = false;
  const gone = await startReceiver((response) => response.writeHead(isGone ? 410 : 500).end());
  const other = await startReceiver();
  const config = await addEndpoint(service, { url: gone.url, retryDelayMs: 3_600_000 });
  await addEndpoint(service, { url: other.url, events: ['identity.webhook.deactivated'] });
  const states = async () => (await deliveriesOf(service, config)).map(({ state }) => state).join();
  for (let count = 0; count < 2; count += 1) publish(service);
  await untilHolds(async () => (await states()) === 'retrying,retrying', 'two failures');
  isGone = true;
  publish(service);
  const [request] = await other.until(1);
  expect(request?.body.data).toEqual({ webhookId: config.id, reason: 'gone' });
  expect(await states()).toBe('failed,failed,failed');
  expect((await service.services.webhookConfigs.find(config.id))?.isActive).toBe(false);
  publish(service);
  await service.events();
  expect(gone.received).toHaveLength(3);
});

test('race: a 410 of the former URL, after a change, neither deactivates the webhook nor loses the delivery', async () => {
  const service = await startTestService();
  const { opened, open } = closedGate();
  const former = await startReceiver((response) => {
    void opened.then(() => response.writeHead(410).end());
  });
  const later = await startReceiver();
  const config = await addEndpoint(service, { url: former.url });
  publish(service);
  await former.until(1);
  await changeWebhook(service.services, config, { url: later.url });
  open();
  await later.until(1);
  expect((await untilState(service, config, 'delivered')).attempts).toBe(2);
});

test('an instance that is too late changes nothing: another one has the delivery by then', async () => {
  const service = await startTestService();
  const { queue } = service.services.webhooks;
  await stopWorkers(service.services);
  const config = await addEndpoint(service, { url: 'http://127.0.0.1:1/' });
  publish(service);
  await service.events();
  const claim = async () => queue.claim(await queue.findDue(), new Map([[config.id, 1]]));
  const [late] = await claim();
  expect(await claim()).toEqual([]);
  service.advance(60_000);
  const [current] = await claim();
  if (!late || !current) throw new Error('Nothing was claimed.');

  const times = { started_at: 0, duration_ms: 0 };
  const sent = { status: 200, response: '', error: null };
  const attempt = { id: randomId(), delivery_id: late.id, ...times, ...sent };
  await queue.recordAttempts([{ delivery: late, attempt, next: { state: 'delivered' } }]);

  expect([late.id, await deliveriesOf(service, config)]).toMatchObject([
    current.id,
    [{ state: 'waiting' }],
  ]);
});
