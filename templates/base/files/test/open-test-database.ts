import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readConfig } from '../src/config.js';
import { openDatabase } from '../src/db/connect.js';
import type { OpenDatabase } from '../src/db/database.js';
import { createLog } from '../src/process/log.js';
import { emptyDatabase, testDatabase } from './database.js';
import { SECRETS } from './environment.js';

/** Opens a migrated database, which ends with the test: for tests of the database itself. */
export async function openTestDatabase(): Promise<OpenDatabase> {
  return openWith(await testDatabaseEnvironment());
}

/** As `openTestDatabase`, without tables. */
export async function openEmptyDatabase(): Promise<OpenDatabase> {
  return openWith(await emptyDatabaseEnvironment());
}

/** The variables for a service or a command on a migrated database, which ends with the test. */
export function testDatabaseEnvironment(): Promise<Record<string, string>> {
  return environmentOn(testDatabase);
}

/** The variables for a service or a command on a database without tables, which ends with the test. */
export function emptyDatabaseEnvironment(): Promise<Record<string, string>> {
  return environmentOn(emptyDatabase);
}

async function openWith(environment: Record<string, string>): Promise<OpenDatabase> {
  const config = readConfig(environment);
  const database = await openDatabase(config, createLog(config));
  onTestFinished(() => database.close());
  return database;
}

async function environmentOn(make: typeof testDatabase): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-'));
  const database = await make(folder);
  onTestFinished(async () => {
    await database.release();
    await rm(folder, { recursive: true, force: true });
  });
  return { ...database.environment, ...SECRETS, LOG_LEVEL: 'silent' };
}
