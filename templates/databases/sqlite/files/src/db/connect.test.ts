import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import Database from 'libsql';
import { expect, it } from 'vitest';
import { emptyDatabaseEnvironment, openTestDatabase } from '../../test/open-test-database.js';
import { readConfig } from '../config.js';
import { createLog } from '../process/log.js';
import { openDatabase } from './connect.js';
import { migrateToLatest } from './migrate.js';

const execute = promisify(execFile);

it.skipIf(process.platform === 'win32')('keeps the file from other users', async () => {
  const environment = await emptyDatabaseEnvironment();
  const folder = environment.DATABASE_URL?.replace(/^file:(.*)\/auth\.db$/, '$1/data') ?? '';
  const config = readConfig({ ...environment, DATABASE_URL: `file:${folder}/auth.db` });
  const { db, close } = await openDatabase(config, createLog(config));
  await migrateToLatest(db);
  for (const name of ['auth.db', 'auth.db-wal', 'auth.db-shm']) {
    expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
  }
  expect((await stat(folder)).mode & 0o077).toBe(0);
  await close();
});

it('waits for a process that is making the file, and holds up nothing meanwhile', async () => {
  const environment = await emptyDatabaseEnvironment();
  const config = readConfig(environment);
  const other = new Database(config.DATABASE_URL.replace(/^file:/, ''));
  other.exec('begin exclusive');
  const opening = openDatabase(config, createLog(config));
  await sleep(50);
  other.exec('commit');
  other.close();
  const { db, close } = await opening;
  expect(await migrateToLatest(db)).not.toEqual([]);
  await close();
});

it('a second connection of this process leaves the first one its locks', async () => {
  const environment = await emptyDatabaseEnvironment();
  const config = readConfig(environment);
  const first = await openDatabase(config, createLog(config));
  await migrateToLatest(first.db);
  const second = await openDatabase(config, createLog(config));
  // Whoever believes to be the last one deletes the log when they close.
  const look = ['--import', 'tsx', 'src/commands/migrate.ts', 'status'];
  await execute(process.execPath, look, { env: { ...process.env, BASE_URL: '', ...environment } });
  expect(existsSync(`${config.DATABASE_URL.replace(/^file:/, '')}-wal`)).toBe(true);
  await first.close();
  await second.close();
});

it('refuses a boolean, which would end the process', async () => {
  const { db } = await openTestDatabase();
  const query = db
    .selectFrom('roles')
    .selectAll()
    .where('name', '=', true as unknown as string);
  await expect(query.execute()).rejects.toThrow('The database cannot store this boolean');
});
