import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { emptyDatabaseEnvironment } from '../../../test/open-test-database.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { migrateToLatest } from '../../db/migrate.js';

async function probe(service: TestService, path: string) {
  const response = await fetch(service.url + path);
  const body = (await response.json()) as { status?: string; code?: string };
  return { status: response.status, body };
}

test('while migrations are pending the service is alive, but not ready', async () => {
  const empty = await emptyDatabaseEnvironment();
  const service = await startTestService({ ...empty, MIGRATE_ON_START: 'off' });
  expect((await probe(service, '/healthz')).status).toBe(200);
  const { status, body } = await probe(service, '/readyz');
  expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
  await migrateToLatest(service.services.db);
  expect((await probe(service, '/readyz')).status).toBe(200);
});

test('while migrations are pending a route that needs their tables answers 503, and works once they have run', async () => {
  const { accessToken } = await signInAs(await startTestService());
  const empty = await emptyDatabaseEnvironment();
  const service = await startTestService({ ...empty, MIGRATE_ON_START: 'off' });
  const client = nativeClient(service, accessToken);
  const { status, headers, body } = await client.get('/me');
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  expect(body).toEqual({ error: 'Migrations are pending.', code: 'UNAVAILABLE' });
  await migrateToLatest(service.services.db);
  expect((await client.get('/me')).status).toBe(401);
});

test('probes are outside AUTH_PREFIX and have no limit', async () => {
  const service = await startTestService({ AUTH_PREFIX: '/id', RATE_LIMIT: 'on' });
  const response = await fetch(`${service.url}/healthz`);
  expect(response.status).toBe(200);
  expect(response.headers.has('ratelimit-limit')).toBe(false);
});
