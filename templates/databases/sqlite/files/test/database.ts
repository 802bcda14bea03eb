import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { readConfig } from '../src/config.js';
import { openDatabase } from '../src/db/connect.js';
import { migrateToLatest } from '../src/db/migrate.js';
import { createLog } from '../src/process/log.js';
import { SECRETS } from './environment.js';

let migrated: Promise<Uint8Array> | undefined;

/** A fresh database for one test, as migrations leave it: a file in `folder`, deleted with it. */
export async function testDatabase(folder: string) {
  migrated ??= migrateOnce();
  const database = await emptyDatabase(folder);
  // A copy takes a fraction of what it takes to migrate.
  await writeFile(join(folder, 'auth.db'), await migrated, { mode: 0o600 });
  return database;
}

/** The same without tables. */
export async function emptyDatabase(folder: string) {
  return {
    environment: { DATABASE_URL: `file:${join(folder, 'auth.db')}` },
    async release() {},
  };
}

/** Begins a run of all tests: databases are files that go with their test, so there is nothing to drop. */
export function setup(): void {}

/** The bytes of a migrated database. */
async function migrateOnce(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-'));
  try {
    const file = join(folder, 'auth.db');
    const { environment } = await emptyDatabase(folder);
    const config = readConfig({ ...SECRETS, ...environment, LOG_LEVEL: 'silent' });
    const { db } = await openDatabase(config, createLog(config));
    await migrateToLatest(db).finally(() => db.destroy());
    const database = new Database(file);
    // Until then it is in the write-ahead log, a file of its own.
    database.exec('pragma wal_checkpoint(truncate)');
    database.close();
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
