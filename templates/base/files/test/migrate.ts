import { readConfig } from '../src/config.js';
import { openDatabase } from '../src/db/connect.js';
import { migrateToLatest } from '../src/db/migrate.js';
import { createLog } from '../src/process/log.js';
import { SECRETS } from './environment.js';

/** Runs all migrations on the database of these variables, as a start would. */
export async function migrate(environment: Record<string, string>): Promise<void> {
  const config = readConfig({ ...SECRETS, LOG_LEVEL: 'silent', ...environment });
  const { db, close } = await openDatabase(config, createLog(config));
  try {
    await migrateToLatest(db);
  } finally {
    await close();
  }
}
