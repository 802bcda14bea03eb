import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { emptyDatabaseEnvironment } from '../../test/service.js';
import { startSignedIn } from '../../test/sign-in-as.js';
import { readConfig } from '../config.js';
import { createLog } from '../process/log.js';
import { openDatabase } from './connect.js';
import { migrateToLatest } from './migrate.js';

test.skipIf(process.platform === 'win32')('the file is kept from other users', async () => {
  const environment = await emptyDatabaseEnvironment();
  const folder = environment.DATABASE_URL?.replace(/^file:(.*)\/auth\.db$/, '$1/data') ?? '';
  const config = readConfig({ ...environment, DATABASE_URL: `file:${folder}/auth.db` });
  const { db } = await openDatabase(config, createLog(config));
  await migrateToLatest(db);
  for (const name of ['auth.db', 'auth.db-wal', 'auth.db-shm']) {
    expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
  }
  expect((await stat(folder)).mode & 0o077).toBe(0);
  await db.destroy();
});

test('while another process has the file locked, every write is answered 503 after one wait of 3.5 s', async () => {
  const { service, client, refreshToken } = await startSignedIn({}, { RATE_LIMIT: 'on' });
  const other = new Database(service.config.DATABASE_URL.replace(/^file:/, ''));
  other.exec('begin immediate');
  const start = performance.now();
  const writing = await Promise.all([
    client.post('/refresh', { refreshToken }),
    ...Array.from({ length: 10 }, () => client.patch('/profile', { firstName: 'Ada' })),
  ]);
  expect(writing.map(({ status }) => status)).toEqual(Array(11).fill(503));
  // And what a busy machine adds; two waits are 7 s.
  expect(performance.now() - start).toBeLessThan(7_000);
  other.exec('rollback');
  expect((await client.patch('/profile', { firstName: 'Ada' })).status).toBe(200);
  // libsql leaves a statement in progress that found the file locked: then nothing would be committed.
  await service.services.db.insertInto('roles').values({ name: 'x', permissions: '[]' }).execute();
  const [row] = other.prepare('select metadata from users').all([]);
  expect(JSON.stringify(row)).toContain('Ada');
  expect(other.prepare("select 1 from roles where name = 'x'").all([])).toHaveLength(1);
  other.close();
});

test('a count that is reset while another process writes does not keep an old snapshot of the file', async () => {
  const { service, client } = await startSignedIn({}, { RATE_LIMIT: 'on' });
  const { limiter, users } = service.services;
  await limiter.consume([['refreshOfSession', 'a session']]);
  const other = new Database(service.config.DATABASE_URL.replace(/^file:/, ''));
  other.exec('begin immediate');
  const reset = limiter.reset('refreshOfSession', 'a session');
  await client.get('/me');
  other.exec('delete from sessions');
  other.exec('commit');
  await reset;
  // Ended by the other process: this one must see it, and must be able to write.
  expect(await client.get('/me')).toMatchObject({ status: 401, body: { code: 'SESSION_REVOKED' } });
  const email = 'somebody@example.com';
  expect(await users.create({ email, loginProvider: 'local' })).toBeDefined();
  other.close();
});
