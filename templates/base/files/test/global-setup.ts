import { dropDatabasesOf } from './database.js';

const DAY_MS = 86_400_000;

/**
 * Begins a test run, once for all projects of `vitest.config.ts`: databases are named after the run. Its end drops the
 * databases that tests handed on to each other; a run a day later drops those that a killed run left.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_RUN) return undefined;
  const run = `${Date.now()}_${process.pid}`;
  process.env.TEST_RUN = run;
  await dropDatabasesOf((other) => Date.now() - Number.parseInt(other, 10) > DAY_MS);
  return () => dropDatabasesOf((other) => other === run);
}
