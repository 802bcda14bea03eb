import { expect, it } from 'vitest';
import { isParallel } from '../../test/database.js';
import { openTestDatabase } from '../../test/open-test-database.js';
import { startTestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';
import { inTransaction } from '../services.js';
import { isUnavailable, isUniqueViolation } from './errors.js';
import { insertUnlessTaken } from './insert.js';

it('a text that is too long is refused, and never cut', async () => {
  const { db } = await openTestDatabase();
  const row = { name: 'x'.repeat(65), permissions: '[]' };
  const failure = await insertUnlessTaken(db.insertInto('roles').values(row)).catch(
    (error) => error,
  );
  expect(failure).toBeInstanceOf(Error);
  expect([isUniqueViolation(failure), isUnavailable(failure)]).toEqual([false, false]);
  expect(await db.selectFrom('roles').selectAll().execute()).toHaveLength(2);
});

it('a prepared statement outlives a change of its table by a newer instance', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  const { services } = service;
  const findInside = () => inTransaction(services, ({ users }) => users.findById(user.id));
  for (const column of ['later', 'last']) {
    // Every connection has prepared it before the change.
    await Promise.all(Array.from({ length: 12 }, () => services.users.findById(user.id)));
    await services.db.schema.alterTable('users').addColumn(column, 'integer').execute();
    const find = column === 'later' ? () => services.users.findById(user.id) : findInside;
    const found = await Promise.all(Array.from({ length: 12 }, find));
    expect(found.map((each) => each?.email)).toEqual(Array(12).fill(user.email));
  }
});

it.runIf(await isParallel())(
  'a row that somebody holds for long makes a request fail, not hang',
  async () => {
    const service = await startTestService();
    const { user, client } = await signInAs(service);
    await service.services.db.transaction().execute(async (holder) => {
      await holder.updateTable('users').set({ metadata: '{}' }).where('id', '=', user.id).execute();
      const { status, body } = await client.patch('/profile', { firstName: 'Ada' });
      expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
    });
    expect((await client.patch('/profile', { firstName: 'Ada' })).status).toBe(200);
  },
);
