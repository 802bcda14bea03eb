import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { checkEnvironment } from '../src/commands/findings.js';
import { readConfig } from '../src/config.js';
import { openDatabase } from '../src/db/connect.js';
import { migrateDown, migrateToLatest } from '../src/db/migrate.js';
import { createLog } from '../src/process/log.js';
import { runCommand, startProcess } from './process.js';
import {
  emptyDatabaseEnvironment,
  openLog,
  openTestDatabase,
  startTestService,
} from './service.js';

it('of several processes that start at once one runs the migrations', async () => {
  // Vitest sets a variable BASE_URL of its own.
  const env = { ...process.env, BASE_URL: '', ...(await emptyDatabaseEnvironment()) };
  const migrate = ['dist/migrate.js', 'up'];
  const run = () => promisify(execFile)(process.execPath, migrate, { env });
  const runs = await Promise.all([run(), run(), run()]);
  const outputs = runs.map(({ stdout }) => stdout.trim());
  expect(outputs.filter((output) => output === 'Nothing to do.')).toHaveLength(2);
  expect(outputs.filter((output) => output.startsWith('up '))).toHaveLength(1);
});

it('that fails ends the start, which says why', async () => {
  const environment = await emptyDatabaseEnvironment();
  const config = readConfig(environment);
  const { db } = await openDatabase(config, createLog(config));
  await db.schema.createTable('users').addColumn('id', 'integer').execute();
  await db.destroy();
  const { ended, output } = await startProcess(environment);
  expect(await ended).toBe(1);
  expect(output()).toMatch(/^Migration \d+_users failed: .*users.* already exists/im);
});

/** The variables for a migrated database whose record `change` has changed. */
async function environmentWithRecord(change: RawBuilder<unknown>) {
  const environment = await emptyDatabaseEnvironment();
  const config = readConfig(environment);
  const { db } = await openDatabase(config, createLog(config));
  await migrateToLatest(db);
  await change.execute(db);
  await db.destroy();
  const history = async (MIGRATE_ON_START: string) => {
    const findings = await checkEnvironment({ ...environment, MIGRATE_ON_START });
    return findings.find(({ about }) => about === 'history');
  };
  return { environment: { ...environment, MIGRATE_ON_START: 'on', LOG_LEVEL: 'info' }, history };
}

const GONE = 'have run, but their files are missing from migrations/: 20990101_gone.';

it('that has run, and whose file is gone, is named: no start can run the others', async () => {
  const renamed = sql`update kysely_migration set name = '20990101_gone' where name = '20261201_users'`;
  const { environment, history } = await environmentWithRecord(renamed);
  const message = expect.stringContaining(GONE);
  expect(await history('on')).toEqual({ about: 'history', stops: true, isWarning: true, message });
  expect(await history('off')).toMatchObject({ stops: false, isWarning: true });
  const { ended, output } = await startProcess(environment);
  expect(await ended).toBe(1);
  expect(output()).toContain('20990101_gone');
  expect((await runCommand({ environment }, 'migrate', ['up'])).code).toBe(1);
  const { stdout } = await runCommand({ environment }, 'migrate', ['status']);
  expect(stdout).toContain('executed, file is gone    20990101_gone');
});

it('of a newer version keeps no earlier one from starting', async () => {
  const newer = sql`insert into kysely_migration values ('20990101_gone', 'now')`;
  const { environment, history } = await environmentWithRecord(newer);
  expect(await history('on')).toMatchObject({ stops: false, isWarning: true });
  await (await startProcess(environment)).ready();
  const up = await runCommand({ environment }, 'migrate', ['up']);
  expect([up.code, up.stdout]).toEqual([0, expect.stringContaining('Nothing to do')]);
  const { code, stderr } = await runCommand({ environment }, 'admin', ['promote', 'a@example.com']);
  expect([code, stderr]).toEqual([1, 'There is no account with the address a@example.com.\n']);
});

it('that is pending at a start is no failure of its background work, nor is a database that stops answering', async () => {
  const { log, told } = openLog();
  const environment = { ...(await emptyDatabaseEnvironment()), MIGRATE_ON_START: 'off' };
  const { services } = await startTestService(environment, { log });
  await services.background.idle();
  await services.db.destroy();
  await sleep(1_500);
  expect([told('pending migrations'), told('background work failed')]).toEqual([1, 0]);
});

it('that is taken back while the service runs makes it not ready', async () => {
  const { url, services } = await startTestService();
  const readiness = async () => (await fetch(`${url}/readyz`)).status;
  expect(await readiness()).toBe(200);
  await migrateDown(services.db);
  expect(await readiness()).toBe(503);
});

it('brings the roles admin and user', async () => {
  const { db } = await openTestDatabase();
  const roles = await db.selectFrom('roles').selectAll().orderBy('name').execute();
  expect(roles).toEqual([
    { name: 'admin', permissions: '["*:*"]' },
    { name: 'user', permissions: '[]' },
  ]);
});

/** An empty project folder, removed with the test. */
async function folderWithMigrations(...files: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'migrations'));
  for (const file of files) await writeFile(join(folder, 'migrations', file), '');
  return folder;
}

it('a new migration runs after all others, and never before it is written', async () => {
  const folder = await folderWithMigrations('20261201_users.ts', '29991231_latest.ts');
  const command = [resolve('dist/migrate.js')];
  // pnpm passes `--` on.
  const args = [...command, '--', 'new', 'Nick-names', 'of people'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  expect(stdout).toBe('migrations/30000101_nick_names_of_people.ts\n');
  const nameless = promisify(execFile)(process.execPath, [...command, 'new'], { cwd: folder });
  await expect(nameless).rejects.toThrow('Give a name of letters, digits and _.');
  expect(await readdir(join(folder, 'migrations'))).toHaveLength(3);
  const { up, down } = await import(join(folder, stdout.trim()));
  await expect(up()).rejects.toThrow('up is not written yet');
  await expect(down()).rejects.toThrow('down is not written yet');
});
