import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createWebhook } from '../src/features/webhook-configs/feature.js';
import { createDispatcher } from '../src/features/webhooks/dispatcher.js';
import { newSecret } from '../src/features/webhooks/signing.js';
import { stopWorkers } from '../src/services.js';
import { startWithAdmin } from './administrator.js';
import { startProcess } from './process.js';
import { addEndpoint, hexSignature, startReceiver, untilHolds, verifies } from './receiver.js';
import { startTestService, type TestService } from './service.js';

/** A receiver for many endpoints that counts what arrives, by path and event. */
async function startTally(respond: (response: ServerResponse) => unknown) {
  const tally = new Map<string, number>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const key = `${request.url} ${request.headers['webhook-id']}`;
      tally.set(key, (tally.get(key) ?? 0) + 1);
      respond(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, tally };
}

/** A number of endpoints for `identity.auth.logout`, each with its own path. */
async function addEndpoints({ services }: TestService, count: number, url: string) {
  const events = ['identity.auth.logout'];
  for (let nth = 0; nth < count; nth += 1) {
    await createWebhook(services, { url: `${url}/${nth}`, events });
  }
}

/** Many events in one transaction, as a burst. */
async function burst({ services }: TestService, count: number): Promise<void> {
  await services.transaction(async ({ events }) => {
    for (let nth = 0; nth < count; nth += 1) {
      events.publish('identity.auth.logout', { sessionId: String(nth) }, {});
    }
  });
}

/** The number of deliveries that a process has leased, and of those not delivered. */
async function countOpen({ services }: TestService) {
  const rows = services.db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.countAll().as('count'));
  const leased = await rows.where('lease', 'is not', null).executeTakeFirstOrThrow();
  const open = await rows.where('state', '<>', 'delivered').executeTakeFirstOrThrow();
  return { leased: Number(leased.count), open: Number(open.count) };
}

test('SIGTERM while 300 endpoints hang: it ends in time, and no delivery is lost', async () => {
  const writer = await startTestService();
  await writer.services.workers.webhooks.stop();
  let isUp = false;
  const receiver = await startTally((response) => {
    if (isUp) response.end();
  });
  await addEndpoints(writer, 300, receiver.url);
  await burst(writer, 2);

  const first = await startProcess({ DATABASE_URL: writer.config.DATABASE_URL });
  const hanging = () => new Set([...receiver.tally.keys()].map((key) => key.split(' ')[0])).size;
  await untilHolds(() => hanging() === 300, 'a request to each endpoint');
  const from = performance.now();
  first.child.kill('SIGTERM');
  expect(await first.ended, first.output()).toBe(0);
  expect(performance.now() - from).toBeLessThan(10_000);
  expect(await countOpen(writer)).toEqual({ leased: 0, open: 600 });

  isUp = true;
  const before = new Map(receiver.tally);
  await startProcess({ DATABASE_URL: writer.config.DATABASE_URL });
  await untilHolds(async () => (await countOpen(writer)).open === 0, 'every delivery');
  expect(receiver.tally.size).toBe(600);
  // What hung in the first process, which may have sent it again, is sent once more.
  const again = [...receiver.tally].map(([key, count]) => count - (before.get(key) ?? 0));
  expect(new Set(again)).toEqual(new Set([1]));
}, 120_000);

/**
 * The deliveries leased at a time (ms) to endpoints that never took long, on a busy machine perhaps not all: others have
 * slots of their own.
 */
async function countLeasedToQuick({ services: { db } }: TestService, time: number) {
  const open = db.selectFrom('webhook_deliveries').where('lease', 'is not', null);
  const leased = await open.select(['webhook_id', 'leased_until']).execute();
  const answered = await db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_attempts', 'delivery_id', 'webhook_deliveries.id')
    .select('webhook_id')
    .where('duration_ms', '>=', SLOW_MS)
    .execute();
  const unanswered = leased.filter((each) => each.leased_until - LEASE_MS <= time - SLOW_MS);
  const slow = new Set([...answered, ...unanswered].map((each) => each.webhook_id));
  return leased.filter((each) => !slow.has(each.webhook_id)).length;
}

/** How long a lease lasts, and from when on an endpoint is slow, less what the measuring takes. */
const LEASE_MS = 25_000;
const SLOW_MS = 490;
/** The deliveries that a process may have sent without recording them: less than 1 % of what it sends in ten seconds. */
const MOST_UNDER_WAY = 64;

test('kill -9 in the middle of a burst to 50 endpoints: each delivery arrives, and twice only what was under way', async () => {
  const writer = await startTestService();
  await writer.services.workers.webhooks.stop();
  const receiver = await startTally((response) => setTimeout(() => response.end(), 5));
  await addEndpoints(writer, 50, receiver.url);
  await burst(writer, 50);

  const first = await startProcess({ DATABASE_URL: writer.config.DATABASE_URL });
  await untilHolds(() => receiver.tally.size >= 500, 'a fifth of them');
  first.child.kill('SIGKILL');
  const killedAt = Date.now();
  await first.ended;
  const { leased, open } = await countOpen(writer);
  const toQuick = await countLeasedToQuick(writer, killedAt);
  expect(open).toBeGreaterThan(500);

  // Instead of waiting until the leases of the dead process end.
  await writer.services.db.updateTable('webhook_deliveries').set({ leased_until: 0 }).execute();
  await startProcess({ DATABASE_URL: writer.config.DATABASE_URL });
  const isDone = async () => (await countOpen(writer)).open === 0;
  await untilHolds(isDone, 'every delivery', 120_000);
  expect(receiver.tally.size).toBe(2_500);
  const counts = [...receiver.tally.values()];
  expect(Math.max(...counts)).toBeLessThanOrEqual(2);
  const doubles = counts.filter((count) => count > 1).length;
  expect(doubles).toBeLessThanOrEqual(leased);
  expect(toQuick).toBeLessThanOrEqual(MOST_UNDER_WAY);
}, 240_000);

/** How often the dispatcher polls. */
const POLL_MS = 500;

/** Counts the statements of all connections and transactions until `work`, which sees the count, ends; and polls. */
async function countStatements(
  { services }: TestService,
  work: (count: () => number) => Promise<void>,
) {
  const from = performance.now();
  const executors = Object.getPrototypeOf(Object.getPrototypeOf(services.db.getExecutor()));
  const counted = vi.spyOn(executors, 'executeQuery');
  await work(() => counted.mock.calls.length);
  const { length } = counted.mock.calls;
  counted.mockRestore();
  return { count: length, polls: Math.floor((performance.now() - from) / POLL_MS) };
}

test.each([1, 500])(
  'one statement finds which of %i endpoints have something due',
  async (count) => {
    const service = await startTestService();
    await stopWorkers(service.services);
    const hanging: ServerResponse[] = [];
    const receiver = await startTally((response) => hanging.push(response));
    await addEndpoints(service, count, receiver.url);
    const dispatcher = createDispatcher(service.services);
    onTestFinished(() => dispatcher.stop());

    const idle = await countStatements(service, async (count) => {
      await dispatcher.start?.();
      await untilHolds(() => count() > 2, 'three looks');
    });
    // One look at the start.
    expect(idle.count).toBeLessThanOrEqual(1 + idle.polls + 1);
    await dispatcher.stop();

    await burst(service, 3);
    const busy = createDispatcher(service.services);
    const sent = Math.min(count * 3, 64);
    const claiming = await countStatements(service, async () => {
      await busy.start?.();
      await untilHolds(() => receiver.tally.size >= sent, `${sent} requests`);
    });
    // Due endpoints, due deliveries, the lease, the leased rows: two or three times, and at each poll.
    const stopped = busy.stop();
    for (const response of hanging) response.end();
    await stopped;
    expect(claiming.count).toBeGreaterThanOrEqual(4);
    expect(claiming.count).toBeLessThanOrEqual(12 + 4 * claiming.polls);
  },
);

test('race: a secret that is rotated under way: each request is signed so that its receiver can tell', async () => {
  const { service, client } = await startWithAdmin();
  const before = newSecret();
  // One receiver keeps the old secret for the whole day, the other switches as soon as the rotation is answered.
  let known = before;
  let rotatedAt = Number.POSITIVE_INFINITY;
  const accepted = new Set<string>();
  const receiver = await startReceiver((response, count) => {
    const request = receiver.received[count - 1];
    setTimeout(() => {
      const isTrusted = request && verifies(request, known);
      if (isTrusted) accepted.add(String(request.headers['webhook-id']));
      response.writeHead(isTrusted && count % 5 !== 0 ? 200 : 401).end();
    }, 20);
  });
  const endpoint = await addEndpoint(service, {
    ...{ url: receiver.url, secret: before, maxRetries: 10, retryDelayMs: 20 },
    events: ['identity.auth.logout'],
  });
  await burst(service, 100);
  await receiver.until(40);
  const { body } = await client.post(`/webhooks/${endpoint.id}/rotate-secret`);
  known = body.secret;
  rotatedAt = receiver.received.length;
  await untilHolds(() => accepted.size === 100, 'every event');

  const { received } = receiver;
  expect(received.filter((request) => !verifies(request, before))).toEqual([]);
  const signedBy = (request: (typeof received)[number]) =>
    [before, known].findIndex(
      (secret) => request.headers['x-webhook-signature'] === hexSignature(secret, request.text),
    );
  const signers = received.map(signedBy);
  expect(new Set(signers)).toEqual(new Set([0, 1]));
  // Four requests to it may have been running.
  expect(signers.slice(rotatedAt + 4).every((signer) => signer === 1)).toBe(true);
  expect(received.slice(rotatedAt + 4).every((request) => verifies(request, known))).toBe(true);
});
