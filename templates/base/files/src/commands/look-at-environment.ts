import type { Config } from '../config.js';
import { openDatabase } from '../db/connect.js';
import { isMadeAtStart } from '../db/is-made-at-start.js';
import { pendingMigrations } from '../db/migrate.js';
import type { Environment } from '../environment/defaults.js';
import { ConfigError, readConfig } from '../environment/read-config.js';
import { createLog } from '../log.js';

/** One thing that was looked at. */
export interface Finding {
  about: 'configuration' | 'database' | 'migrations';
  /** True if the service does not start because of it, or answers /readyz with 503. */
  stops: boolean;
  /** A sentence for people. No variable's value is ever in it. */
  message: string;
}

/** Looks at what a start would meet. Without a usable configuration, or a database, the rest is not looked at. */
export async function lookAtEnvironment(environment: Environment): Promise<Finding[]> {
  const config = configFrom(environment);
  if (Array.isArray(config)) return config.map((message) => problem('configuration', message));
  const configured = fine('configuration', 'Every variable can be used.');
  if (isMadeAtStart(config)) {
    return [configured, fine('database', 'There is none yet: the first start makes it.')];
  }
  return [configured, ...(await lookAtDatabase(config))];
}

function configFrom(environment: Environment): Config | string[] {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

async function lookAtDatabase(config: Config): Promise<Finding[]> {
  const silent = createLog({ ...config, LOG_LEVEL: 'silent' });
  let database: Awaited<ReturnType<typeof openDatabase>> | undefined;
  try {
    database = await openDatabase(config, silent);
    const pending = await pendingMigrations(database.db);
    return [fine('database', 'It answers.'), migrations(pending, config)];
  } catch (error) {
    return [problem('database', `It cannot be used: ${reason(error)}`)];
  } finally {
    await database?.close();
  }
}

function migrations(pending: string[], { MIGRATE_ON_START: runAtStart }: Config): Finding {
  if (pending.length === 0) return fine('migrations', 'All have run.');
  const names = `${pending.length} pending (${pending.join(', ')})`;
  if (runAtStart) return fine('migrations', `${names}: the next start runs them.`);
  return problem('migrations', `${names}: run migrate up.`);
}

function fine(about: Finding['about'], message: string): Finding {
  return { about, stops: false, message };
}

function problem(about: Finding['about'], message: string): Finding {
  return { about, stops: true, message };
}

/** Drivers often say nothing but a code. */
function reason(error: unknown): string {
  const { message, code, cause } = error as Partial<NodeJS.ErrnoException>;
  const said = message || code || String(error);
  return cause instanceof Error ? `${said} (${cause.message})` : said;
}
