import { expect, it } from 'vitest';
import { openTestDatabase } from '../../test/open-test-database.js';

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
