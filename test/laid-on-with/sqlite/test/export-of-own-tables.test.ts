import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

test('a table of the team is exported as it is, whatever its columns hold', async () => {
  const service = await startTestService();
  const { client, user } = await signInAs(service);
  const { db } = service.services;
  await sql`create table notes (user_id text, created_at text, valid_until integer, details text)`.execute(
    db,
  );
  await sql`insert into notes values (${user.id}, '1 May', null, 'not JSON')`.execute(db);
  const { body } = await client.post('/account/export', {});
  expect(body).toHaveProperty('data.notes', [
    { user_id: user.id, created_at: '1 May', valid_until: null, details: 'not JSON' },
  ]);
});
