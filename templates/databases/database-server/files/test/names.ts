import { randomId } from '../src/random.js';

const PREFIX = 'auth_test_';
/** The time at which a run began, and its process. */
const NAME = /^auth_test_(\d+_\d+)_/;

/** A name for a new database of this run. Outside of a run it belongs to nobody but its maker. */
export function newDatabaseName(): string {
  const run = process.env.TEST_RUN ?? 'alone';
  return `${PREFIX}${run}_${randomId().slice(0, 8)}`;
}

/** The run that a database belongs to; undefined if to none. */
export function runOfDatabase(databaseName: string): string | undefined {
  return NAME.exec(databaseName)?.[1];
}
