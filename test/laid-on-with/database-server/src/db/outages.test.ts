import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { disconnectAll } from '../../test/database.js';
import { startProcess } from '../../test/process.js';
import { sleepFor } from '../../test/server.js';
import {
  openTestDatabase,
  startTestService,
  type TestService,
  testDatabaseEnvironment,
} from '../../test/service.js';
import { startSignedIn } from '../../test/sign-in-as.js';
import { isUnavailable } from './errors.js';
import { withoutTimeout } from './sql.js';

/** Takes this many connections. @returns gives them back, as the end of the test does */
async function takeConnections({ services }: TestService, count: number) {
  const held = new AbortController();
  const giveBack = () => held.abort();
  onTestFinished(giveBack);
  const taken = Array.from(
    { length: count },
    () =>
      new Promise<void>((resolve) => {
        services.db.connection().execute(async () => {
          resolve();
          if (!held.signal.aborted) await once(held.signal, 'abort');
        });
      }),
  );
  await Promise.all(taken);
  return giveBack;
}

test('connections that the server closes are replaced, and no defect is reported', async () => {
  const { service, client } = await startSignedIn();
  const statuses = async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.get('/me')));
    return answers.map(({ status }) => status);
  };
  await statuses();
  await disconnectAll(service.config.DATABASE_URL);
  expect((await statuses()).every((status) => status === 200 || status === 503)).toBe(true);
  // A connection counts as open until its end has been read.
  await vi.waitFor(async () => expect(await statuses()).toEqual(Array(8).fill(200)), {
    timeout: 30_000,
  });
});

test('a transaction whose connection is cut leaves nothing behind', async () => {
  const { service, user } = await startSignedIn();
  const work = service.services.transaction(async ({ users }) => {
    await users.updateMetadata(user.id, { isHalf: true });
    await disconnectAll(service.config.DATABASE_URL);
    await users.markEmailVerified(user.id);
  });
  expect(isUnavailable(await work.catch((error) => error))).toBe(true);
  // The pool may first hand out another connection that was cut as well.
  await vi.waitFor(
    async () => expect((await service.services.users.findById(user.id))?.metadata).toEqual({}),
    30_000,
  );
});

test('without a free connection a request is answered 503 after a while, and the next one works', async () => {
  const { service, client } = await startSignedIn({}, { DATABASE_POOL_SIZE: '2' });
  const giveBack = await takeConnections(service, 2);
  const [answer, probe] = await Promise.all([client.get('/me'), fetch(`${service.url}/readyz`)]);
  expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE']);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(probe.status).toBe(503);
  giveBack();
  for (let count = 0; count < 4; count += 1) expect((await client.get('/me')).status).toBe(200);
});

/** A proxy to the database that can be blocked: then nothing is forwarded, and nothing closed. */
async function blockableWay(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isBlocked = false;
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    client.pipe(database).pipe(client);
    for (const socket of [client, database]) {
      socket.on('error', () => {});
      sockets.add(socket);
      if (isBlocked) socket.pause();
    }
    client.on('close', () => database.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    block(blocked: boolean) {
      isBlocked = blocked;
      for (const socket of sockets) blocked ? socket.pause() : socket.resume();
    },
  };
}

test('while a server does not respond requests are answered 503 after one wait of 3.5 s, also those already waiting', async () => {
  const { DATABASE_URL = '' } = await testDatabaseEnvironment();
  const way = await blockableWay(DATABASE_URL);
  const { service, client, refreshToken } = await startSignedIn(
    {},
    {
      DATABASE_URL: way.url,
      DATABASE_POOL_SIZE: '3',
      RATE_LIMIT: 'on',
    },
  );
  const answers = () => [
    ...Array.from({ length: 8 }, () => client.get('/me')),
    client.post('/refresh', { refreshToken }),
    client.patch('/profile', { firstName: 'Ada' }),
    client.post('/forgot-password', { email: `${randomUUID()}@example.com` }),
  ];
  const timed = async () => {
    const start = performance.now();
    const probe = fetch(`${service.url}/readyz`);
    const statuses = (await Promise.all([...answers(), probe])).map(({ status }) => status);
    return { statuses, seconds: (performance.now() - start) / 1000 };
  };
  way.block(true);
  const early = timed();
  await sleep(2_000);
  for (const { statuses, seconds } of [await timed(), await early]) {
    expect(statuses).toEqual(Array(12).fill(503));
    // A second to count and 3.5 s for one statement, and what a busy machine adds. A second statement makes it 8;
    // if each of the four limits of /forgot-password waited, it would be 7.5.
    expect(seconds).toBeLessThan(7);
  }
  way.block(false);
  await vi.waitFor(async () => expect((await client.get('/me')).status).toBe(200), 30_000);
});

test('a statement without an answer is given up with its connection, unless it may take long', async () => {
  const { db } = await openTestDatabase();
  const failure = await sleepFor(5)
    .execute(db)
    .catch((error) => error);
  expect(isUnavailable(failure)).toBe(true);
  await sleepFor(5).execute(withoutTimeout(db));
});

test('an unreachable server ends the start with 1, and its credentials are not printed', async () => {
  const url = new URL((await startTestService()).config.DATABASE_URL);
  url.port = '1';
  url.password = 'secret-of-the-database';
  const { ended, output } = await startProcess({ DATABASE_URL: url.href });
  expect(await ended).toBe(1);
  expect(output()).toContain('The database does not answer: connect ECONNREFUSED');
  expect(output()).not.toContain('secret-of-the-database');
});

test('a command prints once why the server is not reached', async () => {
  const url = new URL((await startTestService()).config.DATABASE_URL);
  url.port = '1';
  const args = [resolve('dist/migrate.js'), 'status'];
  const { ended, output } = await startProcess({ DATABASE_URL: url.href }, args);
  expect(await ended).toBe(1);
  expect(output().match(/ECONNREFUSED/g)).toHaveLength(1);
});

test('a row that is locked for long makes a request fail, not hang', async () => {
  const { service, user, client } = await startSignedIn();
  await service.services.db.transaction().execute(async (holder) => {
    await holder.updateTable('users').set({ metadata: '{}' }).where('id', '=', user.id).execute();
    const { status, body } = await client.patch('/profile', { firstName: 'Ada' });
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
  });
  expect((await client.patch('/profile', { firstName: 'Ada' })).status).toBe(200);
});
