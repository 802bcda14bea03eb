import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../environment/read-config.js';
import { createLog } from '../log.js';
import { openDatabase } from './connect.js';
import { isUniqueViolation } from './errors.js';
import { migrateToLatest } from './migrate.js';

const execute = promisify(execFile);

async function openMigrated(url: string) {
  const config = readConfig({
    DATABASE_URL: url,
    ACCESS_TOKEN_SECRET: 'access-secret-of-the-tests-0123456789',
    REFRESH_TOKEN_SECRET: 'refresh-secret-of-the-tests-9876543210',
    LOG_LEVEL: 'silent',
  });
  const database = await openDatabase(config, createLog(config));
  onTestFinished(() => database.close());
  await migrateToLatest(database.db);
  return database;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it.skipIf(process.platform === 'win32')('keeps the file from other users', async () => {
  const folder = join(await newFolder(), 'data');
  await openMigrated(`file:${folder}/auth.db`);
  for (const name of ['auth.db', 'auth.db-wal', 'auth.db-shm']) {
    expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
  }
  expect((await stat(folder)).mode & 0o077).toBe(0);
});

it('migrates once when several processes start on a new file together', async () => {
  const environment = {
    ...process.env,
    // Vitest has a variable of that name for itself.
    BASE_URL: '',
    DATABASE_URL: `file:${await newFolder()}/auth.db`,
    ACCESS_TOKEN_SECRET: 'access-secret-of-the-tests-0123456789',
    REFRESH_TOKEN_SECRET: 'refresh-secret-of-the-tests-9876543210',
  };
  const migrate = ['--import', 'tsx', 'src/commands/migrate.ts', 'up'];
  const runs = await Promise.all(
    [1, 2, 3].map(() => execute(process.execPath, migrate, { env: environment })),
  );
  const outputs = runs.map(({ stdout }) => stdout.trim());
  expect(outputs.filter((output) => output === 'Nothing to do.')).toHaveLength(2);
  expect(outputs.filter((output) => output.startsWith('up '))).toHaveLength(1);
}, 30_000);

it('tells a taken value from other failures', async () => {
  const { db } = await openMigrated(':memory:');
  const taken = db.insertInto('roles').values({ name: 'admin', permissions: '[]' });
  const orphan = db
    .insertInto('user_roles')
    .values({ user_id: 'nobody', role_name: 'admin', assigned_at: 0 });
  expect(isUniqueViolation(await taken.execute().catch((error) => error))).toBe(true);
  expect(isUniqueViolation(await orphan.execute().catch((error) => error))).toBe(false);
});

it.each<[string, unknown]>([
  ['a boolean, which would end the process', true],
  ['undefined, which would become null', undefined],
  ['a text with NUL, which would be cut there', 'admin\0nobody'],
  ['NaN, which would become null', Number.NaN],
])('refuses %s', async (_what, value) => {
  const { db } = await openMigrated(':memory:');
  const query = db
    .selectFrom('roles')
    .selectAll()
    .where('name', '=', value as string);
  await expect(query.execute()).rejects.toThrow('SQLite cannot store this');
});

it('keeps a count although another request rolls back meanwhile', async () => {
  const { db, createLimiter } = await openMigrated(':memory:');
  const limiter = createLimiter({ keyPrefix: 'login', points: 3, duration: 60 });
  let counted: Promise<unknown> | undefined;
  const undone = db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('roles').execute();
    counted = limiter.consume('alice');
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await counted;
  expect((await limiter.get('alice'))?.consumedPoints).toBe(1);
  expect(await db.selectFrom('roles').selectAll().execute()).toHaveLength(2);
});

it('goes on counting in memory while its table fails', async () => {
  const { db, createLimiter } = await openMigrated(':memory:');
  const limiter = createLimiter({ keyPrefix: 'login', points: 1, duration: 60 });
  await db.schema.dropTable('rate_limits').execute();
  await limiter.consume('alice');
  await expect(limiter.consume('alice')).rejects.toMatchObject({ remainingPoints: 0 });
});
