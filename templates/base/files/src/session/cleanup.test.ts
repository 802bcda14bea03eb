import { expect, test } from 'vitest';
import { startSingleInstance, startTestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';
import { randomId } from '../random.js';
import { deleteExpiredSessions } from './cleanup.js';

const DAY = 24 * 60 * 60 * 1000;

test('cleaning up needs the permission sessions:cleanup', async () => {
  const { client } = await signInAs(await startTestService());
  const { status, body } = await client.post('/sessions/cleanup');
  expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
});

test('it deletes what has expired, says how much, and leaves the rest', async () => {
  const service = await startTestService();
  const { user: ada } = await signInAs(service);
  await signInAs(service, { email: ada.email });
  const token = await service.services.oneTimeTokens.issue('example', ada.id, DAY);
  service.advance(8 * DAY);
  const admin = await signInAs(service, { role: 'admin' });

  const { status, body } = await admin.client.post('/sessions/cleanup');
  expect([status, body]).toEqual([200, { success: true, deleted: 2 }]);
  expect((await admin.client.post('/sessions/cleanup')).body.deleted).toBe(0);
  expect((await admin.client.get('/me')).status).toBe(200);

  const { db } = service.services;
  const sessions = await db.selectFrom('sessions').select('id').execute();
  expect(sessions).toEqual([{ id: admin.sessionId }]);
  expect(await db.selectFrom('one_time_tokens').selectAll().execute()).toEqual([]);
  expect(await service.services.oneTimeTokens.consume('example', token)).toBeUndefined();
});

test('it finds the expired among more sessions than it looks at in one go', async () => {
  const service = await startSingleInstance();
  const { db } = service.services;
  const { sessionId } = await signInAs(service);
  const row = await db
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  const copies = Array.from({ length: 1_200 }, (_, index) => ({
    ...row,
    id: randomId(),
    expires_at: index % 100 === 0 ? 1 : row.expires_at,
  }));
  for (let at = 0; at < copies.length; at += 100) {
    await db
      .insertInto('sessions')
      .values(copies.slice(at, at + 100))
      .execute();
  }
  expect(await deleteExpiredSessions(service.services)).toBe(12);
  const left = await db.selectFrom('sessions').select('expires_at').execute();
  expect(left).toHaveLength(1_189);
  expect(left.some(({ expires_at }) => expires_at === 1)).toBe(false);
});

test('of two instances that clean up at once, only one tells of a session', async () => {
  const service = await startTestService();
  const other = await startTestService({ DATABASE_URL: service.config.DATABASE_URL });
  for (let count = 0; count < 10; count += 1) await signInAs(service);
  service.advance(8 * DAY);
  const instances = [service, other, service, other];
  const deleted = await Promise.all(
    instances.map(({ services }) => deleteExpiredSessions(services)),
  );
  expect(deleted.reduce((sum, count) => sum + count)).toBe(10);
});

test('each session that expired is an event', async () => {
  const service = await startTestService();
  const { sessionId, user } = await signInAs(service);
  service.advance(8 * DAY);
  const admin = await signInAs(service, { role: 'admin' });
  await admin.client.post('/sessions/cleanup');
  const expired = (await service.events()).filter(({ event }) => event.endsWith('expired'));
  expect(expired).toEqual([
    expect.objectContaining({
      event: 'identity.session.expired',
      data: { sessionId },
      metadata: expect.objectContaining({ userId: user.id }),
    }),
  ]);
});
