import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { checkEnvironment } from '../src/commands/findings.js';
import { readConfig } from '../src/config.js';
import { openDatabase } from '../src/db/connect.js';
import { migrateDown, migrateToLatest, pendingMigrations } from '../src/db/migrate.js';
import { createLog } from '../src/process/log.js';
import { runCommand, startProcess } from './process.js';
import {
  DEFAULTS,
  emptyDatabaseEnvironment,
  openEmptyDatabase,
  startTestService,
  type TestService,
  testDatabaseEnvironment,
} from './service.js';

const SECRETS = [DEFAULTS.ACCESS_TOKEN_SECRET, DEFAULTS.REFRESH_TOKEN_SECRET];

test('a bad configuration ends the start with 1, and every problem is listed by its variable', async () => {
  const wrong = {
    PORT: 'eighty',
    BASE_URL: 'ftp://auth.test',
    ACCESS_TOKEN_SECRET: 'too-short-but-still-a-secret',
    REFRESH_TOKEN_SECRET: '',
    ACCESS_TOKEN_TTL: 'soon',
    CSRF: 'maybe',
    ALLOWED_ORIGINS: '*',
  };
  const { ended, output } = await startProcess(wrong);
  expect(await ended).toBe(1);
  for (const name of [...Object.keys(wrong), 'REFRESH_TOKEN_SECRET is missing']) {
    expect(output()).toContain(`\n  ${name}`);
  }
  expect(output()).not.toContain('too-short-but-still-a-secret');
  expect(output()).not.toContain('    at ');
});

test('SIGTERM: the request in flight is answered, no other is accepted, and the exit code is 0', async () => {
  const service = await startProcess();
  const url = await service.ready();
  // The service does not wait for a connection that sends nothing.
  const silent = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  await once(silent, 'connect');
  const headers = { 'content-type': 'application/json', 'content-length': '2' };
  const sent = request(`${url}/auth/refresh`, { method: 'POST', headers });
  sent.write('{');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);

  const from = performance.now();
  service.child.kill('SIGTERM');
  while (!service.output().includes('shutting down'))
    await once(service.child.stdout ?? sent, 'data');
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  sent.end('}');

  const [response] = await once(sent, 'response');
  expect(response.statusCode).toBe(401);
  response.resume();
  expect(await service.ended).toBe(0);
  expect(performance.now() - from).toBeLessThan(5_500);
  for (const secret of SECRETS) expect(service.output()).not.toContain(secret);
});

test('`check` finds nothing in a service that can start', async () => {
  const findings = await checkEnvironment(await testDatabaseEnvironment());
  expect(findings.slice(0, 3)).toEqual([
    { about: 'configuration', stops: false, message: 'All variables are valid.' },
    { about: 'database', stops: false, message: 'It answers.' },
    { about: 'migrations', stops: false, message: 'All have run.' },
  ]);
  expect(findings.filter(({ stops, isWarning }) => stops || isWarning)).toEqual([]);
});

test('`check` finds pending migrations, which stop a service that does not run them itself', async () => {
  const environment = await testDatabaseEnvironment();
  const config = readConfig(environment);
  const { db } = await openDatabase(config, createLog(config));
  await migrateDown(db);
  await db.destroy();
  for (const [MIGRATE_ON_START, stops] of [
    ['on', false],
    ['off', true],
  ] as const) {
    const [, , finding] = await checkEnvironment({ ...environment, MIGRATE_ON_START });
    const message = expect.stringMatching(/^\d+ pending \(\d{8}_/);
    expect(finding).toEqual({ about: 'migrations', stops, message });
  }
});

test('`check` names every variable that stops a start, and no value', async () => {
  const wrong = { ACCESS_TOKEN_SECRET: 'too-short-a-value', PORT: 'eighty' };
  const environment = { ...(await emptyDatabaseEnvironment()), ...wrong };
  const { code, stdout } = await runCommand({ environment }, 'check', ['--json']);
  expect([code, JSON.parse(stdout).findings.length]).toEqual([1, 2]);
  expect(stdout).toMatch(/PORT .*ACCESS_TOKEN_SECRET /s);
  expect(stdout).not.toMatch(/too-short-a-value|eighty/);
});

test('pending migrations run once, and can be taken back to the last table and run again', async () => {
  const { db } = await openEmptyDatabase();
  const names = await pendingMigrations(db);
  expect(names.length).toBeGreaterThan(0);
  expect(await migrateToLatest(db)).toEqual(names);
  expect(await migrateToLatest(db)).toEqual([]);
  const undone: string[] = [];
  while (undone.length < names.length) undone.push(...(await migrateDown(db)));
  expect(undone).toEqual(names.toReversed());
  expect(await db.introspection.getTables()).toEqual([]);
  expect(await migrateToLatest(db)).toEqual(names);
});

async function probe(service: TestService, path: string) {
  const response = await fetch(service.url + path);
  const body = (await response.json()) as { status?: string; code?: string };
  return { status: response.status, body };
}

test('while migrations are pending the service is alive, but not ready', async () => {
  const empty = await emptyDatabaseEnvironment();
  const BOOTSTRAP_ADMIN_EMAIL = 'first@example.com';
  const variables = { ...empty, MIGRATE_ON_START: 'off', BOOTSTRAP_ADMIN_EMAIL };
  const service = await startTestService(variables);
  expect((await probe(service, '/healthz')).status).toBe(200);
  const { status, body } = await probe(service, '/readyz');
  expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
  await migrateToLatest(service.services.db);
  expect((await probe(service, '/readyz')).status).toBe(200);
  const { users } = service.services;
  await expect
    .poll(() => users.findByEmail(BOOTSTRAP_ADMIN_EMAIL), { timeout: 5_000 })
    .toBeDefined();
});

test('probes are outside AUTH_PREFIX and have no limit', async () => {
  const service = await startTestService({ AUTH_PREFIX: '/id', RATE_LIMIT: 'on' });
  const { status, headers } = await fetch(`${service.url}/healthz`);
  expect([status, headers.has('ratelimit-limit')]).toEqual([200, false]);
});
