import { expect, it, onTestFinished, test, vi } from 'vitest';
import { countInMemory, withMemoryFallback } from '../src/db/rate-limits.js';
import { session } from '../src/session/feature.js';
import { nativeClient } from './client.js';
import { openTestDatabase, startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

it('counts every one of twenty at once', async () => {
  const { createLimiter } = await openTestDatabase();
  const limiter = createLimiter({ keyPrefix: 'login', points: 30, duration: 60 });
  await Promise.all(Array.from({ length: 20 }, () => limiter.consume('alice')));
  expect((await limiter.consume('alice')).consumedPoints).toBe(21);
});

it('keeps a count although another request rolls back meanwhile', async () => {
  const { db, createLimiter } = await openTestDatabase();
  const limiter = createLimiter({ keyPrefix: 'login', points: 3, duration: 60 });
  let counted: Promise<unknown> | undefined;
  const undone = db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('roles').execute();
    counted = limiter.consume('alice');
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await counted;
  expect((await limiter.consume('alice')).consumedPoints).toBe(2);
  expect(await db.selectFrom('roles').selectAll().execute()).toHaveLength(2);
});

it('goes on counting in memory while its table fails', async () => {
  const { db, createLimiter } = await openTestDatabase();
  const limiter = createLimiter({ keyPrefix: 'login', points: 1, duration: 60 });
  await db.schema.dropTable('rate_limits').execute();
  await limiter.consume('alice');
  await expect(limiter.consume('alice')).rejects.toMatchObject({ remainingPoints: 0 });
});

test('many parallel requests for one key do not wait longer than the time-out of a slow store', async () => {
  // Time that passes by itself would be added to the waits.
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const outage = { begin: vi.fn(), end: vi.fn(), failedAt: Number.NEGATIVE_INFINITY };
  const options = { keyPrefix: 'login', points: 5, duration: 60 };
  const table = countInMemory(options);
  let last: Promise<unknown> = Promise.resolve();
  // Like a row that everybody locks: one after the other, each for a tenth of the time-out.
  const wait = () => new Promise((resume) => setTimeout(resume, 100));
  const consume = (key: string) => {
    const turn = last.then(wait).then(() => table.consume(key));
    last = turn.catch(() => undefined);
    return turn;
  };
  const [one, two] = [1, 2].map(() => withMemoryFallback({ ...table, consume }, options, outage));
  const guesses = Array.from({ length: 100 }, (_, nth) => (nth % 2 ? one : two)?.consume('alice'));
  const ended = Promise.allSettled(guesses);
  await vi.advanceTimersByTimeAsync(60_000);
  const results = await ended;
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect(outage.begin).not.toHaveBeenCalled();
});

const { points: refreshes } = session.limits.refreshOfSession;

test('two instances on one database count together', async () => {
  const one = await startTestService({ RATE_LIMIT: 'on' });
  const two = await startTestService({
    RATE_LIMIT: 'on',
    DATABASE_URL: one.config.DATABASE_URL,
  });
  const { refreshToken } = await signInAs(one);
  one.stopClock();
  const statuses: number[] = [];
  for (let count = 0; count <= refreshes; count++) {
    const client = nativeClient(count % 2 === 0 ? one : two);
    statuses.push((await client.post('/refresh', { refreshToken })).status);
  }
  expect(statuses.slice(0, refreshes)).not.toContain(429);
  expect(statuses[refreshes]).toBe(429);
});

test('an instance that lives for minutes deletes what has expired, too', async () => {
  const { config, services } = await startTestService();
  const expired = { key: 'login:ada', points: 1, expire: 0 };
  await services.db.insertInto('rate_limits').values(expired).execute();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await startTestService({ DATABASE_URL: config.DATABASE_URL });
  vi.advanceTimersByTime(60_000);
  const counts = services.db.selectFrom('rate_limits').select('key');
  await vi.waitFor(async () => expect(await counts.execute()).toEqual([]));
});
