import { expect, test, vi } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { problemsOf, SECRETS } from '../../../test/environment.js';
import { hasRedis, keysOf, redisEnvironment, wayToRedis } from '../../../test/redis.js';
import {
  openLog,
  startTestService,
  type TestEnvironment,
  type TestService,
} from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { session } from '../../session/feature.js';
import { ANSWER_MS } from './connection.js';
import { redisCounters } from './counters.js';

const withRedis = test.runIf(await hasRedis());

const FAILS = 'counted in memory for now';
const WORKS = 'counted in Redis again';

const { points } = session.limits.refreshOfSession;

async function startLimited(variables: TestEnvironment) {
  const { log, told } = openLog();
  const service = await startTestService({ RATE_LIMIT: 'on', ...variables }, { log });
  return { service, told };
}

/** What is left of a session's limit after one more refresh. */
async function remaining({ services }: TestService, sessionId: string) {
  return (await services.limiter.consume([['refreshOfSession', sessionId]]))?.remaining;
}

withRedis('two instances count together in Redis, and need no table for it', async () => {
  const redis = await redisEnvironment();
  const { service: one, told } = await startLimited(redis);
  const { DATABASE_URL } = one.config;
  const { service: two } = await startLimited({ ...redis, DATABASE_URL });
  await one.services.db.schema.dropTable('rate_limits').execute();
  const { refreshToken } = await signInAs(one);
  one.stopClock();
  const statuses: number[] = [];
  for (let count = 0; count <= points; count += 1) {
    const client = nativeClient(count % 2 === 0 ? one : two);
    statuses.push((await client.post('/refresh', { refreshToken })).status);
  }
  expect(statuses).toEqual([...Array(points).fill(200), 429]);
  expect(told('counted in memory')).toBe(0);
  expect(await keysOf(redis.REDIS_URL, `${redis.REDIS_PREFIX}:limits`)).toHaveLength(1);
});

withRedis('two services in one Redis count apart by their prefix', async () => {
  const { log } = openLog();
  const limit = { keyPrefix: 'login', points: 1, duration: 60 };
  for (const { REDIS_URL, REDIS_PREFIX } of [await redisEnvironment(), await redisEnvironment()]) {
    const counters = await redisCounters(REDIS_URL, REDIS_PREFIX, log);
    expect((await counters.createLimiter(limit).consume('ada')).consumedPoints).toBe(1);
    await counters.close();
  }
});

withRedis(
  'a wait that one instance lengthens applies on the other, until the count starts again',
  async () => {
    const { log } = openLog();
    const { REDIS_URL, REDIS_PREFIX } = await redisEnvironment();
    const open = () => redisCounters(REDIS_URL, REDIS_PREFIX, log);
    const [one, two] = [await open(), await open()];
    const limit = { keyPrefix: 'login', points: 5, duration: 60 };
    const [here, there] = [one.createLimiter(limit), two.createLimiter(limit)];
    await here.block('ada', 600);
    const refused = await there.consume('ada').catch((error) => error);
    expect(refused.msBeforeNext / 600_000).toBeCloseTo(1, 1);
    await there.delete('ada');
    expect((await here.consume('ada')).remainingPoints).toBe(4);
    await Promise.all([one.close(), two.close()]);
  },
);

test('a missing Redis delays neither the start nor a request, and is logged once', async () => {
  const { service, told } = await startLimited({ REDIS_URL: 'redis://127.0.0.1:1' });
  const counts: unknown[] = [];
  for (let count = 0; count < 3; count += 1) counts.push(await remaining(service, 'ada'));
  expect(counts).toEqual([1, 2, 3].map((used) => points - used));
  expect(told(FAILS)).toBe(1);
});

withRedis('a Redis that stops is not needed, and is used again once it is back', async () => {
  const redis = await redisEnvironment();
  const way = await wayToRedis(redis.REDIS_URL);
  const { service, told } = await startLimited({ ...redis, REDIS_URL: way.url });
  expect(await remaining(service, 'ada')).toBe(points - 1);
  await way.cut();
  // In memory the count starts from zero.
  await vi.waitFor(async () => expect(await remaining(service, 'bob')).toBe(points - 1));
  expect(await remaining(service, 'ada')).toBe(points - 1);
  expect([told(FAILS), told(WORKS)]).toEqual([1, 0]);
  await way.open();
  await vi.waitFor(() => expect(told(WORKS)).toBe(1), { timeout: 50_000 });
  expect(await remaining(service, 'ada')).toBe(points - 2);
  expect(told(FAILS)).toBe(1);
});

withRedis('a Redis that hangs makes one request wait, not each', async () => {
  const redis = await redisEnvironment();
  const way = await wayToRedis(redis.REDIS_URL);
  const { service, told } = await startLimited({ ...redis, REDIS_URL: way.url });
  expect(await remaining(service, 'ada')).toBe(points - 1);
  way.stall();
  const start = performance.now();
  for (let count = 0; count < 20; count += 1) await remaining(service, 'ada');
  expect(performance.now() - start).toBeLessThan(10 * ANSWER_MS);
  expect(told(FAILS)).toBe(1);
  await way.open();
  await vi.waitFor(() => expect(told(WORKS)).toBe(1), { timeout: 50_000 });
});

withRedis('the log never contains the credentials of Redis', async () => {
  const { log, lines, told } = openLog();
  const url = new URL((await redisEnvironment()).REDIS_URL);
  url.username = 'nobody';
  url.password = 'secret-of-redis';
  const counters = await redisCounters(url.href, 'auth', log);
  expect(told(FAILS)).toBe(1);
  expect(lines.join()).toContain('WRONGPASS');
  expect(lines.join()).not.toContain('secret-of-redis');
  await counters.close();
});

withRedis('a database number that Redis refuses counts as down', async () => {
  const { REDIS_URL, REDIS_PREFIX } = await redisEnvironment();
  const { log, lines, told } = openLog();
  const way = await wayToRedis(REDIS_URL);
  const counters = await redisCounters(`${way.url}/9999`, REDIS_PREFIX, log);
  const limiter = counters.createLimiter({ keyPrefix: 'login', points: 5, duration: 60 });
  await vi.waitFor(() => expect(way.opened()).toBeGreaterThan(2));
  expect((await limiter.consume('ada')).consumedPoints).toBe(1);
  expect([told(FAILS), told(WORKS)]).toEqual([1, 0]);
  expect(lines.join()).toContain('DB index is out of range');
  expect(await keysOf(REDIS_URL, REDIS_PREFIX)).toEqual([]);
  await counters.close();
});

test.each(['redis://ada:100%@127.0.0.1', 'redis://127.0.0.1/db', 'redis://127.0.0.1/0/1'])(
  'the URL %s is refused',
  (REDIS_URL) => {
    expect(problemsOf({ ...SECRETS, REDIS_URL })).toEqual([
      expect.stringMatching(/^REDIS_URL must be a URL such as /),
    ]);
  },
);
