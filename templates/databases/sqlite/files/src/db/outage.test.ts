import { sql } from 'kysely';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { startTestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';
import { isUnavailable } from './errors.js';

test.each<[string, string, string]>([
  ['is full', 'pragma max_page_count = 1', 'pragma max_page_count = 1000000'],
  ['may only be read', 'pragma query_only = on', 'pragma query_only = off'],
])(
  'while the file %s, what writes is answered 503, and nothing is half done',
  async (_how, begin, end) => {
    const service = await startTestService();
    const { client, user } = await signInAs(service);
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

test('while another process holds the file, all who write are answered 503 within 5 s', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const { client, refreshToken } = await signInAs(service);
  const other = new Database(service.config.DATABASE_URL.replace(/^file:/, ''));
  other.exec('begin immediate');
  const start = performance.now();
  const writing = await Promise.all([
    client.post('/refresh', { refreshToken }),
    ...Array.from({ length: 10 }, () => client.patch('/profile', { firstName: 'Ada' })),
  ]);
  expect(writing.map(({ status }) => status)).toEqual(Array(11).fill(503));
  expect(performance.now() - start).toBeLessThan(5_000);
  other.exec('rollback');
  expect((await client.patch('/profile', { firstName: 'Ada' })).status).toBe(200);
  // libsql leaves a statement in progress that found the file locked: then nothing would be committed.
  await service.services.db.insertInto('roles').values({ name: 'x', permissions: '[]' }).execute();
  const [row] = other.prepare('select metadata from users').all([]);
  expect(JSON.stringify(row)).toContain('Ada');
  expect(other.prepare("select 1 from roles where name = 'x'").all([])).toHaveLength(1);
  other.close();
});
