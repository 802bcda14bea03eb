import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../src/db/connect.js';
import type { OpenDatabase } from '../src/db/open-database.js';
import { readConfig } from '../src/environment/read-config.js';
import { createLog } from '../src/log.js';
import { testDatabase } from './database.js';

/** Opens a fresh database, without tables, and drops it with the test: for tests of the database itself. */
export async function openTestDatabase(): Promise<OpenDatabase> {
  const config = readConfig(await freshDatabaseEnvironment());
  const database = await openDatabase(config, createLog(config));
  onTestFinished(() => database.close());
  return database;
}

/** The variables for a command on a fresh database, which is dropped with the test. */
export async function freshDatabaseEnvironment(): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-'));
  const database = await testDatabase(folder);
  onTestFinished(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    ...database.environment,
    ACCESS_TOKEN_SECRET: 'access-secret-of-the-tests-0123456789',
    REFRESH_TOKEN_SECRET: 'refresh-secret-of-the-tests-9876543210',
    LOG_LEVEL: 'silent',
  };
}
