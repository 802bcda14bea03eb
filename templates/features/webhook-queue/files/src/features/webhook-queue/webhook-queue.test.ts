import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { addEndpoint, publish, startReceiver, untilHolds } from '../../../test/receiver.js';
import { hasRedis, redisEnvironment, wayToRedis } from '../../../test/redis.js';
import { openLog, startTestService, type TestEnvironment } from '../../../test/service.js';
import { oneAtATime } from '../webhooks/dispatcher.js';
import { queuedWakeUps } from './feature.js';

const withRedis = test.runIf(await hasRedis());

const FAILS = 'polls for due webhooks by itself';
const WORKS = 'share the wake-ups of webhooks through Redis again';

async function startLogged(variables: TestEnvironment) {
  const { log, lines, told } = openLog();
  /** The outages and their ends. A process that itself stalls for half a second takes Redis for down. */
  const changes = () =>
    lines.flatMap((line) => [FAILS, WORKS].filter((each) => line.includes(each)));
  return { service: await startTestService(variables, { log }), told, changes };
}

/** Starts an instance that only counts its wake-ups, once it takes part in the queue. */
async function join({ REDIS_URL, REDIS_PREFIX }: Awaited<ReturnType<typeof redisEnvironment>>) {
  const counted = { looks: 0 };
  const wakeUps = queuedWakeUps(REDIS_URL, REDIS_PREFIX, openLog().log);
  const queue = openQueue(REDIS_URL, REDIS_PREFIX);
  const before = await queue.getWorkersCount();
  // As the dispatcher looks: without Redis, or with a process that stalls, each wake-up asks for a look.
  const look = oneAtATime(async () => void counted.looks++);
  await wakeUps.start(look);
  onTestFinished(wakeUps.stop);
  await untilHolds(async () => (await queue.getWorkersCount()) > before, 'the worker');
  return { wakeUps, counted, queue };
}

function openQueue(url: string, prefix: string): Queue {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const queue = new Queue('webhooks', { connection, prefix });
  onTestFinished(async () => {
    await queue.close();
    connection.disconnect();
  });
  return queue;
}

withRedis('a thousand wake-ups cause few looks, one of them after the last', async () => {
  const redis = await redisEnvironment();
  const [one, two] = [await join(redis), await join(redis)];
  const looks = () => one.counted.looks + two.counted.looks;
  for (let count = 0; count < 1000; count += 1) one.wakeUps.announce();
  await untilHolds(async () => (await one.queue.count()) === 0, 'the end of all wake-ups');
  const before = looks();
  expect(before).toBeLessThan(50);
  // A process that stalls takes Redis for down, and announces nothing until it has joined again.
  await untilHolds(two.wakeUps.announce, 'Redis');
  await untilHolds(() => looks() > before, 'one more look');
});

withRedis('two instances that share wake-ups deliver each event once', async () => {
  const redis = await redisEnvironment();
  const { service: one, told } = await startLogged(redis);
  const { DATABASE_URL } = one.config;
  const { service: two } = await startLogged({ ...redis, DATABASE_URL });
  const receiver = await startReceiver();
  await addEndpoint(one, { url: receiver.url });
  for (let count = 0; count < 100; count += 1) {
    publish(count % 2 === 0 ? one : two);
    // Each event is a transaction: on a busy machine, a hundred at once could wait too long for a connection.
    if (count % 20 === 19) await Promise.all([one.idle(), two.idle()]);
  }
  const received = await receiver.until(100);
  await untilHolds(() => told(FAILS) === told(WORKS), 'Redis');
  // The instance that was woken last has nothing left to send.
  await Promise.all([one, two].map(({ services }) => services.workers.webhooks.stop()));
  expect(received).toHaveLength(100);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
});

withRedis('webhooks go out while Redis is gone, and through it once it is back', async () => {
  const redis = await redisEnvironment();
  const way = await wayToRedis(redis.REDIS_URL);
  const { service, changes } = await startLogged({ ...redis, REDIS_URL: way.url });
  const receiver = await startReceiver();
  await addEndpoint(service, { url: receiver.url });
  publish(service);
  await receiver.until(1);
  await way.cut();
  await untilHolds(() => changes().at(-1) === FAILS, 'the log');
  publish(service);
  await receiver.until(2);
  await way.open();
  await untilHolds(() => changes().at(-1) === WORKS, 'the log');
  publish(service);
  await receiver.until(3);
  expect(changes()).toEqual(changes().map((_, nth) => [FAILS, WORKS][nth % 2]));
});

withRedis(
  'a Redis that hangs neither keeps a webhook from going out nor the service from ending',
  async () => {
    const redis = await redisEnvironment();
    const way = await wayToRedis(redis.REDIS_URL);
    const { service } = await startLogged({ ...redis, REDIS_URL: way.url });
    const receiver = await startReceiver();
    await addEndpoint(service, { url: receiver.url });
    publish(service);
    await receiver.until(1);
    way.stall();
    publish(service);
    await receiver.until(2);
    const start = performance.now();
    await service.services.workers.webhooks.stop();
    expect(performance.now() - start).toBeLessThan(8_000);
  },
);

withRedis('a Redis that hangs while an instance joins does not keep it from ending', async () => {
  const redis = await redisEnvironment();
  const way = await wayToRedis(redis.REDIS_URL, 1);
  const wakeUps = queuedWakeUps(way.url, redis.REDIS_PREFIX, openLog().log);
  await wakeUps.start(async () => {});
  await untilHolds(() => way.opened() > 1, 'the connection of the worker');
  const start = performance.now();
  await wakeUps.stop();
  expect(performance.now() - start).toBeLessThan(8_000);
});

test('a missing Redis delays neither the start nor a webhook', async () => {
  const { service, told } = await startLogged({ REDIS_URL: 'redis://127.0.0.1:1' });
  const receiver = await startReceiver();
  await addEndpoint(service, { url: receiver.url });
  publish(service);
  await receiver.until(1);
  await untilHolds(() => told(FAILS) === 1, 'the log');
});
