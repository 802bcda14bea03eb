import { expect, test } from 'vitest';
import { isMissingReference } from '../src/db/errors.js';
import { randomId } from '../src/process/random.js';
import { deleteExpiredSessions } from '../src/session/end-session.js';
import { startSession } from '../src/session/finish-login.js';
import { browser, nativeClient } from './client.js';
import { startTestService } from './service.js';
import { signInAs, signInBrowserAs, someRequest } from './sign-in-as.js';

const DAY = 24 * 60 * 60 * 1000;

test('twenty parallel requests to end one session: one does, the others find none', async () => {
  const service = await startTestService();
  const phone = await signInAs(service, { email: 'ada@example.com' });
  const laptop = await signInAs(service, { email: 'ada@example.com' });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => phone.client.delete(`/sessions/${laptop.sessionId}`)),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
  const revoked = (await service.events()).filter(({ event }) => event.endsWith('revoked'));
  expect(revoked).toHaveLength(1);
});

test.each<[string, (tokens: { accessToken: string; refreshToken: string }) => object]>([
  ['a bearer token', ({ accessToken }) => ({ authorization: `Bearer ${accessToken}` })],
  ['the access cookie', ({ accessToken }) => ({ cookie: `accessToken=${accessToken}` })],
  ['the refresh cookie', ({ refreshToken }) => ({ cookie: `refreshToken=${refreshToken}` })],
])('%s alone ends the session', async (_name, headersOf) => {
  const service = await startTestService();
  const signedIn = await signInAs(service);
  const { status, body } = await browser(service).post('/logout', {}, { ...headersOf(signedIn) });
  expect([status, body]).toEqual([200, { success: true }]);
  expect((await signedIn.client.get('/me')).body.code).toBe('SESSION_REVOKED');
});

test.each<[string, (tokens: { accessToken: string; refreshToken: string }) => object]>([
  ['a bearer token', ({ accessToken }) => ({ authorization: `Bearer ${accessToken}` })],
  ['an access cookie', ({ accessToken }) => ({ cookie: `accessToken=${accessToken}` })],
  ['a refresh cookie', ({ refreshToken }) => ({ cookie: `refreshToken=${refreshToken}` })],
])('%s that has merely expired still ends its session', async (_name, headersOf) => {
  const service = await startTestService();
  const signedIn = await signInAs(service);
  service.advance(5 * DAY);
  const refreshed = await nativeClient(service).post('/refresh', signedIn);
  service.advance(5 * DAY);
  await browser(service).post('/logout', {}, { ...headersOf(signedIn) });
  const { body } = await nativeClient(service).post('/refresh', refreshed.body);
  expect(body.code).toBe('SESSION_REVOKED');
});

test('a browser that sends all its tokens signs out once', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service);
  await client.post('/logout');
  const events = (await service.events()).map(({ event }) => event);
  expect(events.filter((event) => event === 'identity.auth.logout')).toHaveLength(1);
});

test('the clean-up removes what has expired besides sessions: mailed tokens and counts', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const { db, limiter, oneTimeTokens } = service.services;
  const { user } = await signInAs(service);
  const rows = async () =>
    Promise.all([
      db.selectFrom('one_time_tokens').selectAll().execute(),
      db.selectFrom('rate_limits').selectAll().execute(),
    ]);
  await oneTimeTokens.issue('any', user.id, DAY);
  await limiter.consume([['mailsOfAccount', user.email]]);
  expect((await rows()).map(({ length }) => length)).toEqual([1, 1]);
  service.advance(2 * DAY);
  await deleteExpiredSessions(service.services);
  expect(await rows()).toEqual([[], []]);
});

test('attack: an expired token that is forged, or of another type, ends nothing', async () => {
  const service = await startTestService();
  const { client, accessToken, refreshToken } = await signInAs(service);
  const [header, claims] = accessToken.split('.');
  service.advance(DAY);
  for (const token of [`${header}.${claims}.forged`, refreshToken]) {
    await browser(service).post('/logout', {}, { authorization: `Bearer ${token}` });
  }
  expect((await client.post('/refresh', { refreshToken })).status).toBe(200);
});

test.each<[string, unknown, Record<string, string>?]>([
  ['nothing', undefined],
  ['broken JSON', '{"refreshToken":'],
  ['an array', []],
  ['a wrong type', { refreshToken: { $ne: null } }],
  ['a forged token', { refreshToken: 'a.b.c' }],
  ['a form', 'refreshToken=x', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['more than BODY_LIMIT', ' '.repeat(200_000)],
  ['a wrong CSRF token', {}, { 'x-csrf-token': 'wrong' }],
  ['a wrong bearer token', {}, { authorization: 'Bearer wrong' }],
])('logout never refuses: not %s, and what is good ends', async (_name, body, headers) => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service);
  const { accessToken } = Object.fromEntries(client.cookies);
  const { status, body: answer } = await client.send('POST', '/logout', body, headers);
  expect([status, answer]).toEqual([200, { success: true }]);
  expect([...client.cookies]).toEqual([]);
  const after = await nativeClient(service, accessToken).get('/me');
  expect(after.body.code).toBe('SESSION_REVOKED');
});

test('it finds the expired sessions beyond its first batch', async () => {
  const service = await startTestService();
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

test('of two instances that clean up at once, only one emits the event of a session', async () => {
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

test('race: an account that is deleted while it signs in gets no session', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  await service.services.users.delete(user.id);
  const late = startSession(service.services, someRequest(), { userId: user.id, method: 'local' });
  await expect(late).rejects.toSatisfy(isMissingReference);
});
