import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startWithAdmin } from './administrator.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

test('a table of the team is exported as it is, whatever its columns hold', async () => {
  const service = await startTestService();
  const { client, user } = await signInAs(service);
  const { db } = service.services;
  await sql`create table notes (user_id text, created_at text, valid_until integer, used_at integer, details text)`.execute(
    db,
  );
  await sql`insert into notes values (${user.id}, '1 May', null, 9e15, 'not JSON')`.execute(db);
  const { body } = await client.post('/account/export', {});
  expect(body).toHaveProperty('data.notes', [
    {
      user_id: user.id,
      created_at: '1 May',
      valid_until: null,
      used_at: 9e15,
      details: 'not JSON',
    },
  ]);
});

test('attack: a thief of a session gets no secrets of a table of the team, however their columns are spelled', async () => {
  const service = await startTestService();
  const { client, user } = await signInAs(service);
  const { db } = service.services;
  await sql`create table shops (user_id text, "accessToken" text, api_key text, "ApiKey" text)`.execute(
    db,
  );
  await sql`insert into shops values (${user.id}, 'x', 'x', 'x')`.execute(db);
  const { body } = await client.post('/account/export', {});
  expect(body).toHaveProperty('data.shops', [{ user_id: user.id }]);
});

test('attack: a copy of your data does not say from where others acted on you', async () => {
  const { service, client: admin, user: root } = await startWithAdmin();
  const { client, user } = await signInAs(service);
  await admin.send('PUT', `/users/${user.id}/metadata`, {});
  const { body } = await client.post('/account/export', {});
  expect(body.data.users).toHaveLength(1);
  expect(JSON.stringify(body)).not.toContain(root.id);
});

test('exhaustion: an account has five copies an hour, since each reads all tables', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const { client } = await signInAs(service);
  for (let nth = 0; nth < 5; nth++) {
    expect((await client.post('/account/export', {})).status).toBe(200);
  }
  const { status, body } = await client.post('/account/export', {});
  expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
});
