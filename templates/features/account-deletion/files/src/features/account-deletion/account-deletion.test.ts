import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

/** The tables that still contain a row that names this user. */
async function tracesOf({ services }: TestService, userId: string): Promise<string[]> {
  const tables = await services.db.introspection.getTables();
  const traces: string[] = [];
  for (const { name, columns } of tables) {
    const names = columns.map((each) => each.name);
    const column = ['user_id', 'id'].find((each) => names.includes(each));
    if (!column) continue;
    const found = sql`select 1 from ${sql.table(name)} where ${sql.ref(column)} = ${userId}`;
    if ((await found.execute(services.db)).rows.length > 0) traces.push(name);
  }
  return traces;
}

test('the account is deleted with everything that belongs to it', async () => {
  const service = await startTestService();
  const ada = await signInAs(service, { email: 'ada@example.com', metadata: { name: 'Ada' } });
  await service.services.oneTimeTokens.issue('any', ada.user.id, 60_000);
  expect(await tracesOf(service, ada.user.id)).toEqual(
    expect.arrayContaining(['users', 'sessions', 'user_roles', 'one_time_tokens']),
  );
  const { status, body } = await ada.client.delete('/account');
  expect([status, body]).toEqual([200, { success: true }]);
  await service.mails();
  expect(await tracesOf(service, ada.user.id)).toEqual([]);
});

test('the last administrator stays; a new account with the address of a deleted one inherits nothing', async () => {
  const service = await startTestService();
  const email = 'ada@example.com';
  const admin = await signInAs(service, { email, role: 'admin', metadata: { name: 'Ada' } });
  const { status, body: refused } = await admin.client.delete('/account');
  expect([status, refused.code]).toEqual([409, 'LAST_ADMIN']);
  await signInAs(service, { role: 'admin' });
  await admin.client.delete('/account');
  const again = await signInAs(service, { email });
  expect(again.user.id).not.toBe(admin.user.id);
  const { body } = await again.client.get('/me');
  expect(body).toMatchObject({ role: 'user', permissions: [], metadata: {} });
  expect((await again.client.get('/sessions')).body.sessions).toHaveLength(1);
});

test('a stolen token of an old sign-in cannot delete the account', async () => {
  const service = await startTestService({ ACCESS_TOKEN_TTL: '1h' });
  const ada = await signInAs(service);
  service.advance(16 * 60_000);
  const { status, body } = await ada.client.delete('/account');
  expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  expect((await ada.client.get('/me')).status).toBe(200);
});
