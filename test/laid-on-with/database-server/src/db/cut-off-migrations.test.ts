import { expect, it } from 'vitest';
import { disconnectAll } from '../../test/database.js';
import { emptyDatabaseEnvironment, openTestDatabase } from '../../test/service.js';
import { readConfig } from '../config.js';
import { createLog } from '../process/log.js';
import { openDatabase } from './connect.js';
import { ConnectionError } from './connection-error.js';
import { isUnavailable } from './errors.js';
import { migrateDown, migrateToLatest, pendingMigrations } from './migrate.js';
import type { Db } from './schema.js';

/** An empty database to work on. */
async function emptyDatabase() {
  const config = readConfig(await emptyDatabaseEnvironment());
  const withDb = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const { db } = await openDatabase(config, createLog(config));
    return work(db).finally(() => db.destroy());
  };

  /**
   * Runs until this many statements have been executed, then loses all connections, as when the process is
   * killed. False if the work had finished by then.
   */
  const isCutOff = (statements: number, work: (db: Db) => Promise<unknown>) =>
    withDb(async (db) => {
      let left = statements;
      const counted = db.withPlugin({
        transformQuery({ node }) {
          if (left <= 0) throw new ConnectionError('cut off');
          return node;
        },
        async transformResult({ result }) {
          left -= 1;
          if (left === 0) await disconnectAll(config.DATABASE_URL);
          return result;
        },
      });
      await work(counted).catch((error) => {
        if (![error, error.cause].some(isUnavailable)) throw error;
      });
      return left <= 0;
    });

  return { withDb, isCutOff };
}

async function takeAllBack(db: Db): Promise<void> {
  while ((await migrateDown(db)).length > 0);
}

async function contentOf(db: Db) {
  const tables = await db.introspection.getTables();
  const roles = await db.selectFrom('roles').selectAll().orderBy('name').execute();
  return { tables: tables.map(({ name, columns }) => ({ name, columns })), roles };
}

it('after a crash at any statement the next run completes the migrations', async () => {
  const { withDb, isCutOff } = await emptyDatabase();
  let statements = 1;
  while (await isCutOff(statements, migrateToLatest)) statements += Math.ceil(statements / 6);
  expect(statements).toBeGreaterThan(20);
  const whole = await contentOf((await openTestDatabase()).db);
  expect(await withDb(contentOf)).toEqual(whole);
  expect(await withDb(pendingMigrations)).toEqual([]);
});

it('after a crash while migrations are taken back the next run takes them back', async () => {
  const { withDb, isCutOff } = await emptyDatabase();
  const names = await withDb(migrateToLatest);
  let statements = 1;
  while (await isCutOff(statements, takeAllBack)) statements += 5;
  expect(await withDb((db) => db.introspection.getTables())).toEqual([]);
  expect(await withDb(migrateToLatest)).toEqual(names);
});

it('after an error migrations continue where they stopped, once its cause is gone', async () => {
  const { withDb } = await emptyDatabase();
  await withDb((db) => db.schema.createTable('user_roles').addColumn('id', 'integer').execute());
  await expect(withDb(migrateToLatest)).rejects.toThrow('Migration 20261201_users failed');
  await expect(withDb(migrateToLatest)).rejects.toThrow('Migration 20261201_users failed');
  await withDb((db) => db.schema.dropTable('user_roles').execute());
  await withDb(migrateToLatest);
  expect(await withDb(contentOf)).toEqual(await contentOf((await openTestDatabase()).db));
});
