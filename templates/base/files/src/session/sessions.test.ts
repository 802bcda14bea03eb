import { expect, test } from 'vitest';
import { browser } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';

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

test('a session is listed until it expires, and not until it is deleted', async () => {
  const service = await startTestService({ REFRESH_TOKEN_TTL: '2h', ACCESS_TOKEN_TTL: '1h' });
  await signInAs(service, { email: 'ada@example.com' });
  service.advance(2 * 60 * 60 * 1000);
  const { client } = await signInAs(service, { email: 'ada@example.com' });
  expect((await client.get('/sessions')).body.sessions).toHaveLength(1);
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

test('ending all my other sessions leaves this one, and those of others', async () => {
  const service = await startTestService();
  const phone = await signInAs(service, { email: 'ada@example.com' });
  const stolen = await signInAs(service, { email: 'ada@example.com' });
  const eve = await signInAs(service);

  expect((await phone.client.delete('/sessions')).body).toEqual({ success: true });

  expect((await stolen.client.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect((await phone.client.get('/sessions')).body.sessions).toHaveLength(1);
  expect((await eve.client.get('/me')).status).toBe(200);
});

test('every variant of every cookie is cleared', async () => {
  const service = await startTestService({
    BASE_URL: 'https://auth.example.com',
    COOKIE_DOMAIN: 'example.com',
  });
  const { setCookies } = await browser(service).post('/logout');
  const cleared = setCookies.map(({ name, path, domain = 'host' }) => `${name} ${path} ${domain}`);
  const variantsOf = (kind: string, path: string) => [
    `__Host-${kind} / host`,
    ...[`__Secure-${kind}`, kind].flatMap((name) => [
      `${name} ${path} example.com`,
      `${name} ${path} host`,
    ]),
  ];
  expect(cleared.sort()).toEqual(
    [
      ...variantsOf('accessToken', '/'),
      ...variantsOf('refreshToken', '/auth'),
      ...variantsOf('csrf-token', '/'),
      ...variantsOf('newcomer', '/'),
    ].sort(),
  );
  for (const { maxAge, value, secure } of setCookies) {
    expect([maxAge, value, secure]).toEqual([0, '', true]);
  }
});
