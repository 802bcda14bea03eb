import { expect, it } from 'vitest';
import { closedGate } from '../../test/gate.js';
import { meanwhile } from '../../test/hold.js';
import { openTestDatabase, startTestService } from '../../test/service.js';
import { signInAs, startSignedIn } from '../../test/sign-in-as.js';
import { isUnavailable, isUniqueViolation } from './errors.js';
import { insertUnlessTaken } from './sql.js';

it('a text that is too long is refused, and not cut', async () => {
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
  const { service, user } = await startSignedIn();
  const { services } = service;
  const findInside = () => services.transaction(({ users }) => users.findById(user.id));
  for (const column of ['later', 'last']) {
    // Every connection has prepared it before the change.
    await Promise.all(Array.from({ length: 12 }, () => services.users.findById(user.id)));
    await services.db.schema.alterTable('users').addColumn(column, 'integer').execute();
    const find = column === 'later' ? () => services.users.findById(user.id) : findInside;
    const found = await Promise.all(Array.from({ length: 12 }, find));
    expect(found.map((each) => each?.email)).toEqual(Array(12).fill(user.email));
  }
});

/** Resolves once `count` callers wait; later ones pass. */
function meetingOf(count: number): () => Promise<void> {
  const gate = closedGate();
  let here = 0;
  return () => {
    here += 1;
    if (here === count) gate.open();
    return gate.opened;
  };
}

it('a transaction that loses a deadlock is retried, and its events are emitted once', async () => {
  const service = await startTestService();
  const [ada, bob] = [await signInAs(service), await signInAs(service)];
  const bothHoldOne = meetingOf(2);
  let attempts = 0;
  const changeBoth = (first: string, second: string) =>
    service.services.transaction(async ({ users, events }) => {
      attempts += 1;
      await users.updateMetadata(first, { by: first });
      await bothHoldOne();
      await users.updateMetadata(second, { by: first });
      events.publish('identity.user.email.verified', { email: first }, { userId: first });
    });
  await Promise.all([changeBoth(ada.user.id, bob.user.id), changeBoth(bob.user.id, ada.user.id)]);
  expect(attempts).toBe(3);
  const told = (await service.events()).filter(({ event }) => event.endsWith('email.verified'));
  expect(told.map(({ metadata }) => metadata.userId).sort()).toEqual(
    [ada.user.id, bob.user.id].sort(),
  );
  const [one, other] = await Promise.all(
    [ada, bob].map(({ user }) => service.services.users.findById(user.id)),
  );
  expect(one?.metadata).toEqual(other?.metadata);
});

it('work on a row that is deleted meanwhile is retried, and finds it gone', async () => {
  const { service, user } = await startSignedIn();
  const editor = { name: 'editor', permissions: '[]' };
  await service.services.db.insertInto('roles').values(editor).execute();
  const isAssigned = await meanwhile(
    service,
    (db) => db.deleteFrom('roles').where('name', '=', 'editor').execute(),
    () => service.services.transaction(({ userRoles }) => userRoles.assign(user.id, 'editor')),
  );
  expect(isAssigned).toBe(false);
});
