import { expect, test } from 'vitest';
import { nativeClient } from '../../test/client.js';
import { startTestService, type TestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';

/** Uses a refresh token; `live` is the token that came back, `code` why none did. */
async function use(service: TestService, refreshToken: string) {
  const { status, body } = await nativeClient(service).post('/refresh', { refreshToken });
  return { status, live: String(body.refreshToken), code: body.code, success: body.success };
}

test('the replay of a rotated token ends the session of thief and victim alike', async () => {
  const service = await startTestService();
  const { client, refreshToken: stolen, sessionId, user } = await signInAs(service);
  const other = await signInAs(service, { email: user.email });
  const { live } = await use(service, stolen);
  service.advance(11_000);

  const replay = await use(service, stolen);
  expect(replay).toMatchObject({ status: 401, code: 'SESSION_REVOKED', success: false });
  expect(await use(service, live)).toMatchObject({ status: 401, code: 'SESSION_REVOKED' });
  expect((await client.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect((await other.client.get('/me')).status).toBe(200);

  const revoked = (await service.events()).filter(({ event }) => event.endsWith('revoked'));
  expect(revoked).toEqual([
    expect.objectContaining({
      event: 'identity.session.revoked',
      data: { sessionId, reason: 'reuse' },
      metadata: expect.objectContaining({ userId: user.id }),
    }),
  ]);
});

test('the victim who comes after the thief ends the session too', async () => {
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  const ofThief = await use(service, refreshToken);
  service.advance(60_000);
  expect((await use(service, refreshToken)).code).toBe('SESSION_REVOKED');
  expect((await use(service, ofThief.live)).code).toBe('SESSION_REVOKED');
});

test('within the window a used token is answered with the one live token', async () => {
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  const first = await use(service, refreshToken);
  service.advance(9_000);
  for (const again of [await use(service, refreshToken), await use(service, refreshToken)]) {
    expect(again).toEqual(first);
  }
  expect((await use(service, first.live)).status).toBe(200);
});

test('the window counts from the first use: further uses do not prolong it', async () => {
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  await use(service, refreshToken);
  service.advance(6_000);
  expect((await use(service, refreshToken)).status).toBe(200);
  service.advance(6_000);
  expect((await use(service, refreshToken)).code).toBe('SESSION_REVOKED');
});

test('after A→B→C within the window, A and B still lead to C', async () => {
  const service = await startTestService();
  const { refreshToken: a } = await signInAs(service);
  const { live: b } = await use(service, a);
  const { live: c } = await use(service, b);
  expect(new Set([a, b, c]).size).toBe(3);
  expect((await use(service, a)).live).toBe(c);
  expect((await use(service, b)).live).toBe(c);
});

test('after A→B→C each has a window of its own', async () => {
  const service = await startTestService();
  const { refreshToken: a } = await signInAs(service);
  const { live: b } = await use(service, a);
  service.advance(8_000);
  const { live: c } = await use(service, b);
  service.advance(4_000);
  expect((await use(service, b)).live).toBe(c);
  expect((await use(service, a)).code).toBe('SESSION_REVOKED');
});

test('a token from many rotations ago is still known for a replay', async () => {
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  const newest = { refreshToken };
  for (let rotation = 0; rotation < 5; rotation++) {
    newest.refreshToken = (await use(service, newest.refreshToken)).live;
    service.advance(60_000);
  }
  expect((await use(service, refreshToken)).code).toBe('SESSION_REVOKED');
});

test('with REFRESH_REUSE_WINDOW=0s the second use ends the session at once', async () => {
  const service = await startTestService({ REFRESH_REUSE_WINDOW: '0s' });
  const { refreshToken } = await signInAs(service);
  const { live } = await use(service, refreshToken);
  expect((await use(service, refreshToken)).code).toBe('SESSION_REVOKED');
  expect((await use(service, live)).code).toBe('SESSION_REVOKED');
});

test('the database holds nothing that could be used as a refresh token', async () => {
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  const { live } = await use(service, refreshToken);
  const rows = await service.services.db.selectFrom('sessions').selectAll().execute();
  const stored = JSON.stringify(rows);
  for (const token of [refreshToken, live]) {
    for (const part of token.split('.')) expect(stored).not.toContain(part);
  }
});
