import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.js';
import { openDatabase } from '../src/db/connect.js';
import { createLog } from '../src/process/log.js';
import { emptyDatabaseEnvironment, startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

/** As a product's own migrations, or a hosting provider, leave it in a database that the service shares. */
const PRODUCT = [
  'create schema product',
  'create table product.kysely_migration (name text, timestamp text)',
  'create table product.users (id integer)',
  'create table product.identities (user_id integer)',
];

test('a service starts and exports an account beside the tables of other schemas', async () => {
  const environment = await emptyDatabaseEnvironment();
  const config = readConfig(environment);
  const { db } = await openDatabase(config, createLog(config));
  for (const statement of PRODUCT) await sql.raw(statement).execute(db);
  await db.destroy();
  const service = await startTestService(environment);
  const { client, user } = await signInAs(service);
  const { status, body } = await client.post('/account/export', {});
  expect(status).toBe(200);
  expect(body.data.users).toMatchObject([{ id: user.id }]);
  expect(body.data).not.toHaveProperty('identities');
});

test('a second service in a schema of its own does not take the migrations of the first for its own', async () => {
  const environment = await emptyDatabaseEnvironment();
  const { services } = await startTestService(environment);
  await sql`create schema second`.execute(services.db);
  const DATABASE_URL = `${environment.DATABASE_URL}?options=-c%20search_path=second,public`;
  const second = await startTestService({ ...environment, DATABASE_URL });
  const { client, user } = await signInAs(second);
  expect((await client.get('/me')).body).toMatchObject({ sub: user.id });
  expect(await services.users.findById(user.id)).toBeUndefined();
});
