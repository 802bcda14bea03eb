import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../test/database.js';
import { readConfig } from '../environment/read-config.js';
import { createLog } from '../log.js';
import { openDatabase } from './connect.js';
import { migrateDown, migrateToLatest, pendingMigrations } from './migrate.js';
import type { Db } from './schema.js';

async function freshDatabase(): Promise<Db> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-'));
  const database = await testDatabase(folder);
  const config = readConfig({
    ...database.environment,
    ACCESS_TOKEN_SECRET: 'access-secret-of-the-tests-0123456789',
    REFRESH_TOKEN_SECRET: 'refresh-secret-of-the-tests-9876543210',
    LOG_LEVEL: 'silent',
  });
  const { db, close } = await openDatabase(config, createLog(config));
  onTestFinished(async () => {
    await close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  return db;
}

it('runs what is pending, once', async () => {
  const db = await freshDatabase();
  const pending = await pendingMigrations(db);
  expect(pending.length).toBeGreaterThan(0);
  expect(await migrateToLatest(db)).toEqual(pending);
  expect(await migrateToLatest(db)).toEqual([]);
  expect(await pendingMigrations(db)).toEqual([]);
});

it('leaves no table behind when every migration is taken back, and can begin again', async () => {
  const db = await freshDatabase();
  const names = await migrateToLatest(db);
  const undone: string[] = [];
  while (undone.length < names.length) undone.push(...(await migrateDown(db)));
  expect(undone).toEqual(names.toReversed());
  expect(await db.introspection.getTables()).toEqual([]);
  expect(await migrateToLatest(db)).toEqual(names);
});

it('is done by one of several that start at once', async () => {
  const db = await freshDatabase();
  const pending = await pendingMigrations(db);
  const done = await Promise.all([migrateToLatest(db), migrateToLatest(db), migrateToLatest(db)]);
  expect(done.flat()).toEqual(pending);
});

it('brings the roles admin and user', async () => {
  const db = await freshDatabase();
  await migrateToLatest(db);
  const roles = await db.selectFrom('roles').selectAll().orderBy('name').execute();
  expect(roles).toEqual([
    { name: 'admin', permissions: '["*:*"]' },
    { name: 'user', permissions: '[]' },
  ]);
});
