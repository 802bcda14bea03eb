import { expect, test, vi } from 'vitest';
import { disconnectAll } from '../../test/database.js';
import { closedGate } from '../../test/gate.js';
import { startProcess } from '../../test/process.js';
import { startTestService, type TestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';
import { isUnavailable } from './errors.js';

/** Takes this many connections until the gate is opened. */
async function takeConnections({ services }: TestService, count: number) {
  const gate = closedGate();
  const taken = Array.from(
    { length: count },
    () =>
      new Promise<void>((resolve) => {
        services.db.connection().execute(async () => {
          resolve();
          await gate.opened;
        });
      }),
  );
  await Promise.all(taken);
  return gate;
}

test('connections that the server closes are replaced, and nobody is told of a defect', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service);
  const statuses = async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.get('/me')));
    return answers.map(({ status }) => status);
  };
  await statuses();
  await disconnectAll(service.config.DATABASE_URL);
  expect((await statuses()).every((status) => status === 200 || status === 503)).toBe(true);
  // A connection counts as whole until the news of its end has been read.
  await vi.waitFor(async () => expect(await statuses()).toEqual(Array(8).fill(200)), {
    timeout: 5_000,
  });
});

test('a transaction whose connection is cut leaves nothing behind', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  const work = service.services.transaction(async ({ users }) => {
    await users.updateMetadata(user.id, { isHalf: true });
    await disconnectAll(service.config.DATABASE_URL);
    await users.markEmailVerified(user.id);
  });
  expect(isUnavailable(await work.catch((error) => error))).toBe(true);
  // The pool may first hand out another connection that was cut as well.
  await vi.waitFor(async () =>
    expect((await service.services.users.findById(user.id))?.metadata).toEqual({}),
  );
});

test('without a free connection a request is answered 503 after a while, and the next one works', async () => {
  const service = await startTestService({ DATABASE_POOL_SIZE: '2' });
  const { client } = await signInAs(service);
  const gate = await takeConnections(service, 2);
  const [answer, probe] = await Promise.all([client.get('/me'), fetch(`${service.url}/readyz`)]);
  expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE']);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(probe.status).toBe(503);
  gate.open();
  for (let count = 0; count < 4; count += 1) expect((await client.get('/me')).status).toBe(200);
});

test('a server that is not there ends the start with 1, and nobody is told its credentials', async () => {
  const url = new URL((await startTestService()).config.DATABASE_URL);
  url.port = '1';
  url.password = 'secret-of-the-database';
  const { ended, output } = await startProcess({ DATABASE_URL: url.href });
  expect(await ended).toBe(1);
  expect(output()).toContain('The database does not answer: connect ECONNREFUSED');
  expect(output()).not.toContain('secret-of-the-database');
});

test('a row that somebody holds for long makes a request fail, not hang', async () => {
  const service = await startTestService();
  const { user, client } = await signInAs(service);
  await service.services.db.transaction().execute(async (holder) => {
    await holder.updateTable('users').set({ metadata: '{}' }).where('id', '=', user.id).execute();
    const { status, body } = await client.patch('/profile', { firstName: 'Ada' });
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
  });
  expect((await client.patch('/profile', { firstName: 'Ada' })).status).toBe(200);
});
