import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { changeWebhook } from '../src/features/webhook-configs/feature.js';
import type { WebhookConfig } from '../src/features/webhook-configs/store.js';
import { createShares } from '../src/features/webhooks/shares.js';
import { randomId } from '../src/process/random.js';
import { closedGate } from './gate.js';
import { startProcess } from './process.js';
import { addEndpoint, deliveriesOf, publish, startReceiver, untilHolds } from './receiver.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

/** Many events in one transaction, as a burst. */
async function burst({ services }: TestService, count: number): Promise<void> {
  await services.transaction(async ({ events }) => {
    for (let each = 0; each < count; each += 1) {
      events.publish('identity.auth.logout', { sessionId: String(each) }, {});
    }
  });
}

const sessionsOf = (received: { body: { data: { sessionId: string } } }[]) =>
  received.map(({ body }) => body.data.sessionId);

/** The deliveries that a process may have sent without recording them. */
const MOST_UNDER_WAY = 64;

test('kill -9 in the middle of a burst of 1,000: each arrives, and twice only what was under way', async () => {
  const writer = await startTestService();
  await writer.services.workers.webhooks.stop();
  const receiver = await startReceiver((response) => setTimeout(() => response.end(), 5));
  await addEndpoint(writer, { url: receiver.url });
  await burst(writer, 1000);

  const first = await startProcess({ DATABASE_URL: writer.config.DATABASE_URL });
  await receiver.until(100);
  first.child.kill('SIGKILL');
  await first.ended;
  expect(new Set(sessionsOf(receiver.received)).size).toBeLessThan(1000);
  const deliveries = writer.services.db.selectFrom('webhook_deliveries');
  const underWay = await deliveries.select('id').where('lease', 'is not', null).execute();
  expect(underWay.length).toBeLessThanOrEqual(MOST_UNDER_WAY);

  // Instead of waiting until the leases of the dead process end.
  await writer.services.db.updateTable('webhook_deliveries').set({ leased_until: 0 }).execute();
  await startProcess({ DATABASE_URL: writer.config.DATABASE_URL });
  await untilHolds(() => new Set(sessionsOf(receiver.received)).size === 1000, 'all 1,000 events');
  expect(receiver.received.length - 1000).toBeLessThanOrEqual(underWay.length);
}, 240_000);

test('two instances on one database deliver each event once', async () => {
  const one = await startTestService();
  const two = await startTestService({ DATABASE_URL: one.config.DATABASE_URL });
  const receiver = await startReceiver();
  await addEndpoint(one, { url: receiver.url });
  for (let round = 0; round < 5; round += 1) {
    await burst(one, 60);
    two.services.workers.webhooks.wake();
  }
  await receiver.until(300);
  await untilHolds(async () => {
    const [config] = (await one.services.webhookConfigs.list({ limit: 1, offset: 0 })).items;
    const deliveries = config ? await deliveriesOf(one, config) : [];
    return deliveries.every(({ state }) => state === 'delivered');
  }, 'all deliveries');
  expect(receiver.received).toHaveLength(300);
}, 240_000);

test('however often the dispatcher is woken, one look-up waits at most, and attempts are recorded meanwhile', async () => {
  const service = await startTestService();
  const { queue } = service.services.webhooks;
  const receiver = await startReceiver((response) => setTimeout(() => response.end(), 100));
  const config = await addEndpoint(service, { url: receiver.url });
  await burst(service, 1);
  await receiver.until(1);
  const { findDue } = queue;
  let looks = 0;
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  queue.findDue = async () => {
    looks += 1;
    await held;
    return findDue();
  };
  for (let count = 0; count < 50; count += 1) await burst(service, 1);
  await untilHolds(async () => {
    const deliveries = await deliveriesOf(service, config);
    return deliveries.some(({ state }) => state === 'delivered');
  }, 'the record of the first');
  expect(looks).toBe(1);
  goOn();
  await receiver.until(51);
  expect(looks).toBeLessThan(51);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(51);
});

test('an endpoint that subscribes to rotations gets each, and no lost races', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  const { client, refreshToken } = await signInAs(service);
  const unheard = await client.post('/refresh', { refreshToken });
  const rotations = { url: receiver.url, events: ['identity.session.rotated'] };
  const { id } = await addEndpoint(service, rotations);
  const rivals = Array.from({ length: 10 }, () =>
    client.post('/refresh', { refreshToken: unheard.body.refreshToken }),
  );
  const [winner] = await Promise.all(rivals);
  await client.post('/refresh', { refreshToken: winner?.body.refreshToken });
  await receiver.until(2);
  expect((await service.events()).filter(({ event }) => event.endsWith('rotated'))).toHaveLength(3);
  const { rest } = await service.services.webhooks.log.list(id, { limit: 1, offset: 0 });
  expect(rest.total).toBe(2);
});

/** Copies the first delivery, in less time than so many events take. */
async function copyDeliveries({ services: { db } }: TestService, count: number): Promise<void> {
  const first = await db.selectFrom('webhook_deliveries').selectAll().executeTakeFirstOrThrow();
  const unclaimed = { ...first, state: 'waiting', lease: null, leased_until: 0 } as const;
  for (let left = count; left > 0; left -= 500) {
    const copies = Array.from({ length: Math.min(left, 500) }, () => ({
      ...unclaimed,
      id: randomId(),
    }));
    await db.insertInto('webhook_deliveries').values(copies).execute();
  }
}

test('a dead endpoint with 10,000 rows does not slow down another', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  const dead = await addEndpoint(service, {
    url: 'http://127.0.0.1:9/',
    maxRetries: 20,
    events: ['identity.auth.logout'],
  });
  await burst(service, 1);
  await copyDeliveries(service, 9_999);
  await addEndpoint(service, { url: receiver.url });
  await burst(service, 200);
  await receiver.until(200);
  const { rest } = await service.services.webhooks.log.list(dead.id, { limit: 1, offset: 0 });
  expect(rest.total).toBe(10_200);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
}, 240_000);

test('SIGTERM parks what has not been sent: the next instance sends it at once', async () => {
  const writer = await startTestService();
  await writer.services.workers.webhooks.stop();
  // Four at a time: it is told to stop long before it is done, however busy the machine is.
  let delay = 500;
  const receiver = await startReceiver((response) => setTimeout(() => response.end(), delay));
  const config = await addEndpoint(writer, { url: receiver.url });
  await burst(writer, 100);
  const first = await startProcess({ DATABASE_URL: writer.config.DATABASE_URL });
  await receiver.until(5);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const leased = await writer.services.db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('lease', 'is not', null)
    .execute();
  expect(leased).toEqual([]);
  const states = (await deliveriesOf(writer, config)).map(({ state }) => state);
  expect(states).toContain('waiting');
  delay = 5;
  const second = await startProcess({ DATABASE_URL: writer.config.DATABASE_URL });
  await receiver.until(100);
  second.child.kill('SIGTERM');
  await once(second.child, 'exit');
  expect(new Set(sessionsOf(receiver.received)).size).toBe(100);
  expect(receiver.received).toHaveLength(100);
}, 240_000);

test('after a change nothing more is sent as before: to the old URL, or to an endpoint that is inactive or deleted', async () => {
  const service = await startTestService();
  const { services } = service;
  const later = await startReceiver();
  const changed = closedGate();
  let arrived = 0;
  const former = await startReceiver((response) => {
    arrived += 1;
    void changed.opened.then(() => response.end());
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
  changed.open();
  await later.until(8);
  await sleep(500);
  expect(arrived).toBe(before);
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

test('hundreds of slow endpoints with retries and new deliveries are claimed in one statement', async () => {
  const { services } = await startTestService();
  const shares = createShares();
  const ids = Array.from({ length: 400 }, (_, nth) => `endpoint ${nth}`);
  const ends = ids.map((id) => shares.start(id, () => {}));
  await sleep(600);
  for (const end of ends) end();
  const states = ['retrying', 'waiting'] as const;
  const due = ids.flatMap((webhookId) =>
    states.map((state) => ({ webhookId, state, failures: 1 })),
  );
  const granted = shares.grant(due);
  expect(granted.size).toBeGreaterThan(100);
  expect(await services.webhooks.queue.claim(due, granted)).toEqual([]);
});
