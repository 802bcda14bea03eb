import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { checkEnvironment } from '../src/commands/findings.js';
import { readConfig } from '../src/config.js';
import { openDatabase } from '../src/db/connect.js';
import { isUnavailable } from '../src/db/errors.js';
import { migrateToLatest } from '../src/db/migrate.js';
import { createLog } from '../src/process/log.js';
import { nativeClient } from './client.js';
import {
  emptyDatabaseEnvironment,
  openTestDatabase,
  startTestService,
  testDatabaseEnvironment,
} from './service.js';
import { signInAs, startSignedIn } from './sign-in-as.js';

const execute = promisify(execFile);

test('a start waits for a process that creates the file, without blocking the event loop', async () => {
  const environment = await emptyDatabaseEnvironment();
  const config = readConfig(environment);
  const other = new Database(config.DATABASE_URL.replace(/^file:/, ''));
  other.exec('begin exclusive');
  const opening = openDatabase(config, createLog(config));
  await sleep(50);
  other.exec('commit');
  other.close();
  const { db } = await opening;
  expect(await migrateToLatest(db)).not.toEqual([]);
  await db.destroy();
});

test('a second connection of this process leaves the first one its locks', async () => {
  const environment = await emptyDatabaseEnvironment();
  const config = readConfig(environment);
  const first = await openDatabase(config, createLog(config));
  await migrateToLatest(first.db);
  const second = await openDatabase(config, createLog(config));
  // A connection that takes itself for the last one deletes the log when it closes.
  const look = ['dist/migrate.js', 'status'];
  await execute(process.execPath, look, { env: { ...process.env, BASE_URL: '', ...environment } });
  expect(existsSync(`${config.DATABASE_URL.replace(/^file:/, '')}-wal`)).toBe(true);
  await first.db.destroy();
  await second.db.destroy();
});

test('the documented backup works a second time, and only its owner may read the copy', async () => {
  const { DATABASE_URL = '' } = await testDatabaseEnvironment();
  const file = DATABASE_URL.replace(/^file:/, '');
  const copy = `${file}-copy`;
  const page = readFileSync('docs/features/database.md', 'utf8');
  const [, script = ''] = /node -e '(.+)'$/m.exec(page) ?? [];
  const command = script.replaceAll('data/auth.db', file).replaceAll('data/copy.db', copy);
  for (let time = 0; time < 2; time += 1) {
    await execute(process.execPath, ['-e', command]);
    const copied = new Database(copy, { readonly: true });
    expect(copied.prepare('select name from roles order by name').pluck().all()).toEqual([
      'admin',
      'user',
    ]);
    copied.close();
    expect((statSync(copy).mode & 0o777).toString(8)).toBe('600');
  }
});

test.each([
  ['on', false, 'the first start creates it'],
  ['off', true, 'run migrate up'],
])(
  'with MIGRATE_ON_START=%s, a missing file stops a start: %s',
  async (MIGRATE_ON_START, stops, next) => {
    const environment = await emptyDatabaseEnvironment();
    const DATABASE_URL = `${environment.DATABASE_URL}-missing`;
    const findings = await checkEnvironment({ ...environment, DATABASE_URL, MIGRATE_ON_START });
    expect(findings.slice(1)).toEqual([
      { about: 'database', stops, message: `It does not exist yet: ${next}.` },
    ]);
  },
);

test('`npm run check` only reads: it finds nothing wrong while another process writes', async () => {
  const environment = await testDatabaseEnvironment();
  const other = new Database(String(environment.DATABASE_URL).replace(/^file:/, ''));
  other.exec('begin immediate');
  const findings = await checkEnvironment({ ...environment, MIGRATE_ON_START: 'off' });
  other.close();
  expect(findings.filter(({ stops }) => stops)).toEqual([]);
});

test('a table that is missing is a finding', async () => {
  const environment = await testDatabaseEnvironment();
  const file = new Database(String(environment.DATABASE_URL).replace(/^file:/, ''));
  file.exec('alter table webhook_configs rename to moved');
  file.close();
  const message = expect.stringMatching(/^It cannot be used: no such table: webhook_configs/);
  expect(await checkEnvironment(environment)).toContainEqual(
    expect.objectContaining({ about: 'database', stops: true, message }),
  );
});

test('a boolean is refused: it would end the process', async () => {
  const { db } = await openTestDatabase();
  const query = db
    .selectFrom('roles')
    .selectAll()
    .where('name', '=', true as unknown as string);
  await expect(query.execute()).rejects.toThrow('The database cannot store this boolean');
});

test.each<[string, string, string]>([
  ['is full', 'pragma max_page_count = 1', 'pragma max_page_count = 1000000'],
  ['may only be read', 'pragma query_only = on', 'pragma query_only = off'],
])(
  'while the file %s, what writes is answered 503, and nothing is half done',
  async (_how, begin, end) => {
    const { service, client, user } = await startSignedIn({ isEmailProven: false });
    const { services } = service;
    await sql.raw(begin).execute(services.db);
    const attempts = Array.from({ length: 5 }, () =>
      services
        .transaction(async ({ users }) => {
          await users.markEmailVerified(user.id);
          await users.updateMetadata(user.id, { note: 'x'.repeat(1_000_000) });
        })
        .catch((error) => error),
    );
    expect((await Promise.all(attempts)).map(isUnavailable)).toEqual(Array(5).fill(true));
    expect((await client.get('/me')).body).toMatchObject({ isEmailVerified: false, metadata: {} });
    if (begin.includes('query_only')) {
      const { status, body } = await client.patch('/profile', { firstName: 'Ada' });
      expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
    }
    await sql.raw(end).execute(services.db);
    expect((await client.patch('/profile', { firstName: 'Ada' })).status).toBe(200);
  },
);

/** Two instances on one file, and a third connection to it. */
async function startTwo() {
  const { DATABASE_URL = '' } = await testDatabaseEnvironment();
  const instances = [
    await startTestService({ DATABASE_URL }),
    await startTestService({ DATABASE_URL }),
  ] as const;
  const other = new Database(DATABASE_URL.replace(/^file:/, ''));
  return { instances, other };
}

test('a session ended at one instance is ended at another, also after that one could not write', async () => {
  const { instances, other } = await startTwo();
  const [here, there] = instances;
  const { client, accessToken } = await signInAs(here);
  const elsewhere = nativeClient(there, accessToken);
  // They would write again by themselves.
  for (const worker of Object.values(there.services.workers)) await worker.stop();
  other.exec('begin immediate');
  expect((await elsewhere.patch('/profile', { firstName: 'Ada' })).status).toBe(503);
  expect((await elsewhere.get('/me')).status).toBe(200);
  other.exec('commit');
  other.close();
  await client.post('/logout');
  expect((await elsewhere.get('/me')).body.code).toBe('SESSION_REVOKED');
});

test('many short locks of another process are waited for, each by itself', async () => {
  const { instances, other } = await startTwo();
  const { client } = await signInAs(instances[0]);
  const statuses = new Set<number>();
  const end = performance.now() + 5_000;
  while (performance.now() < end) {
    other.exec('begin immediate');
    const change = client.patch('/profile', { firstName: 'Ada' });
    await sleep(150);
    other.exec('commit');
    statuses.add((await change).status);
  }
  other.close();
  expect([...statuses]).toEqual([200]);
});
