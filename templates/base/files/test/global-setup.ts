import { dropDatabasesOf } from './database.js';

const DAY_MS = 86_400_000;

/**
 * Begins a run of the tests, once for all projects of `vitest.config.ts`: databases are named after it. At its end
 * those are dropped that tests handed on to each other; what a killed run has left, by a run a day later.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_RUN) return undefined;
  const run = `${Date.now()}_${process.pid}`;
  process.env.TEST_RUN = run;
  await dropDatabasesOf((other) => Date.now() - Number.parseInt(other, 10) > DAY_MS);
  return () => dropDatabasesOf((other) => other === run);
}
