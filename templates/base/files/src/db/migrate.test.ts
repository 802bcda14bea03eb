import { expect, it } from 'vitest';
import { openEmptyDatabase } from '../../test/open-test-database.js';
import { migrateDown, migrateToLatest, pendingMigrations } from './migrate.js';

it('pending migrations run once', async () => {
  const { db } = await openEmptyDatabase();
  const pending = await pendingMigrations(db);
  expect(pending.length).toBeGreaterThan(0);
  expect(await migrateToLatest(db)).toEqual(pending);
  expect(await migrateToLatest(db)).toEqual([]);
  expect(await pendingMigrations(db)).toEqual([]);
});

it('taking back every migration leaves no table, and all can run again', async () => {
  const { db } = await openEmptyDatabase();
  const names = await migrateToLatest(db);
  const undone: string[] = [];
  while (undone.length < names.length) undone.push(...(await migrateDown(db)));
  expect(undone).toEqual(names.toReversed());
  expect(await db.introspection.getTables()).toEqual([]);
  expect(await migrateToLatest(db)).toEqual(names);
});
