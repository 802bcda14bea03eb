import { type Config, ConfigError, readConfig, warningsOf } from '../config.js';
import { isCreatedAtStart, openDatabase } from '../db/connect.js';
import { missingMigrations, pendingMigrations } from '../db/migrate.js';
import type { Finding } from '../feature.js';
import type { Environment } from '../process/environment.js';
import { createLog, reasonOf } from '../process/log.js';
import { namedFeatures as features } from '../services.js';

/** Checks what a start needs. Without a usable configuration, or a database, the rest is not checked. */
export async function checkEnvironment(environment: Environment): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((message) => ({ about: 'configuration', stops: true, message }));
  }
  const valid = { about: 'configuration', stops: false };
  const configured = [
    { ...valid, message: 'All variables are valid.' },
    ...warningsOf(config).map((message) => ({ ...valid, isWarning: true, message })),
  ];
  if (!isCreatedAtStart(config)) return [...configured, ...(await checkDatabase(config))];
  const next = config.MIGRATE_ON_START ? 'the first start creates it' : 'run migrate up';
  const message = `It does not exist yet: ${next}.`;
  return [...configured, { about: 'database', stops: !config.MIGRATE_ON_START, message }];
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  const silent = createLog({ ...config, LOG_LEVEL: 'silent' });
  let database: Awaited<ReturnType<typeof openDatabase>> | undefined;
  try {
    database = await openDatabase(config, silent);
    const connection = { config, db: database.db, features };
    const pending = await pendingMigrations(database.db);
    const missing = await missingMigrations(database.db);
    const rows = pending.length > 0 ? [] : features.map(({ findings }) => findings?.(connection));
    return [
      { about: 'database', stops: false, message: 'It answers.' },
      migrations(pending, config.MIGRATE_ON_START),
      ...history(missing, config.MIGRATE_ON_START && pending.length > 0),
      ...(await Promise.all(rows)).flatMap((found) => found ?? []),
    ];
  } catch (error) {
    return [{ about: 'database', stops: true, message: `It cannot be used: ${reasonOf(error)}` }];
  } finally {
    await database?.db.destroy();
  }
}

function migrations(pending: string[], runAtStart: boolean): Finding {
  const about = 'migrations';
  if (pending.length === 0) return { about, stops: false, message: 'All have run.' };
  const next = runAtStart ? 'the next start runs them' : 'run migrate up';
  const message = `${pending.length} pending (${pending.join(', ')}): ${next}.`;
  return { about, stops: !runAtStart, message };
}

function history(missing: string[], stops: boolean): Finding[] {
  if (missing.length === 0) return [];
  const message = `These migrations have run, but their files are missing from migrations/: ${missing.join(', ')}. Unless a newer version brought them, restore the files: no other migration can run.`;
  return [{ about: 'history', stops, isWarning: true, message }];
}
