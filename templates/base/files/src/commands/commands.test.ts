import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import {
  emptyDatabaseEnvironment,
  testDatabaseEnvironment,
} from '../../test/open-test-database.js';
import { readConfig } from '../config.js';
import { openDatabase } from '../db/connect.js';
import { migrateDown } from '../db/migrate.js';
import { createLog } from '../process/log.js';
import { lookAtEnvironment } from './findings.js';

/** Runs `npm run check -- --json`. */
function check(environment: Record<string, string>) {
  // Vitest has a variable BASE_URL for itself.
  const env = { ...process.env, BASE_URL: '', ...environment };
  const file = ['--import', 'tsx', 'src/commands/check.ts', '--json'];
  return new Promise<{ exitCode: unknown; stdout: string }>((resolve) => {
    execFile(process.execPath, file, { env }, (error, stdout) =>
      resolve({ exitCode: error?.code ?? 0, stdout }),
    );
  });
}

it('finds nothing in a service that can start', async () => {
  expect(await lookAtEnvironment(await testDatabaseEnvironment())).toEqual([
    { about: 'configuration', stops: false, message: 'Every variable can be used.' },
    { about: 'database', stops: false, message: 'It answers.' },
    { about: 'migrations', stops: false, message: 'All have run.' },
  ]);
});

it('finds pending migrations, which stop a service that does not run them itself', async () => {
  const environment = await testDatabaseEnvironment();
  const config = readConfig(environment);
  const { db, close } = await openDatabase(config, createLog(config));
  await migrateDown(db);
  await close();
  for (const [MIGRATE_ON_START, stops] of [
    ['on', false],
    ['off', true],
  ] as const) {
    const [, , finding] = await lookAtEnvironment({ ...environment, MIGRATE_ON_START });
    const message = expect.stringMatching(/^\d+ pending \(\d{8}_/);
    expect(finding).toEqual({ about: 'migrations', stops, message });
  }
});

it('names every variable that stops a start, and no value', async () => {
  const environment = await emptyDatabaseEnvironment();
  const wrong = { ACCESS_TOKEN_SECRET: 'too-short-a-value', PORT: 'eighty' };
  const { exitCode, stdout } = await check({ ...environment, ...wrong });
  expect([exitCode, JSON.parse(stdout).findings.length]).toEqual([1, 2]);
  expect(stdout).toMatch(/PORT .*ACCESS_TOKEN_SECRET /s);
  expect(stdout).not.toMatch(/too-short-a-value|eighty/);
});
