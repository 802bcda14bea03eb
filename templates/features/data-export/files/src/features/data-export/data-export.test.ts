import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { startTestService } from '../../../test/service.js';
import { signInAs, startSignedIn } from '../../../test/sign-in-as.js';

test('users get all data stored about them, and none about others', async () => {
  const service = await startTestService();
  const ada = await signInAs(service, { metadata: { name: 'Ada' } });
  const eve = await signInAs(service);

  const { status, headers, body } = await ada.client.post('/account/export');

  expect([status, body.user]).toEqual([200, ada.user.id]);
  expect(headers.get('content-disposition')).toBe('attachment; filename="account.json"');
  expect(body.data.users).toMatchObject([{ email: ada.user.email, metadata: { name: 'Ada' } }]);
  expect(body.data.sessions).toHaveLength(1);
  expect(JSON.stringify(body)).not.toContain(eve.user.id);
  expect(JSON.stringify(body)).not.toMatch(/hash|secret|refresh/);
});

test('attack: a table of the team that has numbers as user ids gives nobody the rows of others', async () => {
  const { service, client, user } = await startSignedIn();
  const { db } = service.services;
  await sql`create table orders (user_id bigint, what varchar(9))`.execute(db);
  // Some databases compare a number with the digits that the text begins with.
  const number = Number.parseInt(user.id, 10) || 0;
  await sql`insert into orders values (${number}, 'of others')`.execute(db);
  const { status, body } = await client.post('/account/export');
  expect([status, body.data?.orders]).toEqual([200, undefined]);
});

test('a stolen token of an old sign-in gets no copy', async () => {
  const { service, client } = await startSignedIn({}, { ACCESS_TOKEN_TTL: '1h' });
  service.advance(service.config.REAUTH_WINDOW + 1_000);

  const { status, body } = await client.post('/account/export');

  expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  expect((await nativeClient(service).post('/account/export')).status).toBe(401);
});
