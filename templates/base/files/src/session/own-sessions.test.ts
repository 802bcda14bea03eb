import { expect, test } from 'vitest';
import { browser } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { signInAs, signInBrowserAs } from '../../test/sign-in-as.js';

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('users see their sessions, and which of them is the current one', async () => {
  const service = await startTestService();
  const phone = await signInAs(service, { email: 'ada@example.com' });
  const laptop = await signInAs(service, { email: 'ada@example.com' });
  await signInAs(service, { email: 'eve@example.com' });
  const { status, body } = await phone.client.get('/sessions');
  expect(status).toBe(200);
  expect(body.sessions).toHaveLength(2);
  const current = body.sessions.find(
    ({ handle }: { handle: string }) => handle === phone.sessionId,
  );
  expect(current).toEqual({
    sessionHandle: phone.sessionId,
    handle: phone.sessionId,
    createdAt: expect.stringMatching(ISO_TIME),
    lastActiveAt: expect.stringMatching(ISO_TIME),
    expiresAt: expect.stringMatching(ISO_TIME),
    userAgent: 'test',
    ipAddress: '127.0.0.1',
    isCurrent: true,
  });
  const other = body.sessions.find(({ handle }: { handle: string }) => handle === laptop.sessionId);
  expect(other.isCurrent).toBe(false);
});

test('a list of sessions holds nothing that opens one', async () => {
  const service = await startTestService();
  const { client, accessToken, refreshToken } = await signInAs(service);
  const text = JSON.stringify((await client.get('/sessions')).body);
  const signatures = [accessToken, refreshToken].map((token) => token.split('.')[2]);
  for (const secret of signatures) expect(text).not.toContain(secret);
});

test('ending another session of mine leaves this one', async () => {
  const service = await startTestService();
  const phone = await signInAs(service, { email: 'ada@example.com' });
  const stolen = await signInAs(service, { email: 'ada@example.com' });
  const { status, body } = await phone.client.delete(`/sessions/${stolen.sessionId}`);
  expect([status, body]).toEqual([200, { success: true }]);
  expect((await stolen.client.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect((await phone.client.get('/sessions')).body.sessions).toHaveLength(1);
});

test("somebody else's session is as unknown as one that never was", async () => {
  const service = await startTestService();
  const [ada, eve] = [await signInAs(service), await signInAs(service, { role: 'admin' })];
  for (const handle of [ada.sessionId, 'never-was']) {
    const { status, body } = await eve.client.delete(`/sessions/${handle}`);
    expect([status, body]).toEqual([
      404,
      { error: 'You have no such session.', code: 'SESSION_NOT_FOUND' },
    ]);
  }
  expect((await ada.client.get('/me')).status).toBe(200);
});

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

test('a foreign page cannot end a session', async () => {
  const service = await startTestService();
  const { client, sessionId } = await signInBrowserAs(service);
  const forged = browser(service);
  forged.cookies.set('accessToken', client.cookies.get('accessToken') ?? '');
  const { body } = await forged.delete(`/sessions/${sessionId}`);
  expect(body.code).toBe('CSRF_INVALID');
  expect((await client.get('/me')).status).toBe(200);
});

test('a user agent of any length is kept, cut short', async () => {
  const service = await startTestService();
  const { client, refreshToken } = await signInAs(service);
  await client.post('/refresh', { refreshToken }, { 'user-agent': 'x'.repeat(5000) });
  const [{ userAgent }] = (await client.get('/sessions')).body.sessions;
  expect(userAgent).toBe('x'.repeat(512));
});
