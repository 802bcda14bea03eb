import { expect, test } from 'vitest';
import { nativeClient } from '../../test/client.js';
import { startTestService, type TestService } from '../../test/service.js';
import { type SignedIn, signInAs, startSignedIn } from '../../test/sign-in-as.js';

const HOUR = 60 * 60 * 1000;

test('a refresh token is exchanged for a new pair', async () => {
  const { service, refreshToken } = await startSignedIn();
  const { status, body } = await nativeClient(service).post('/refresh', { refreshToken });
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['accessToken', 'refreshToken', 'success']);
  expect(body.refreshToken).not.toBe(refreshToken);
  expect((await nativeClient(service, body.accessToken).get('/me')).status).toBe(200);
});

test('a refresh token that was never used ends with REFRESH_TOKEN_TTL', async () => {
  const service = await startTestService({ REFRESH_TOKEN_TTL: '2h' });
  const [punctual, late] = [await signInAs(service), await signInAs(service)];
  const refresh = ({ client, refreshToken }: SignedIn) => client.post('/refresh', { refreshToken });
  service.advance(2 * HOUR - 5_000);
  expect((await refresh(punctual)).status).toBe(200);
  service.advance(10_000);
  const { status, body } = await refresh(late);
  expect([status, body.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
});

test('a session ends with SESSION_MAX_AGE, however often it is refreshed', async () => {
  const { service, client, refreshToken } = await startSignedIn(
    {},
    { REFRESH_TOKEN_TTL: '1d', SESSION_MAX_AGE: '2d' },
  );
  const tokens = { accessToken: '', refreshToken };
  for (const hours of [20, 20, 7.9]) {
    service.advance(hours * HOUR);
    const { body } = await client.post('/refresh', { refreshToken: tokens.refreshToken });
    expect(body.success).toBe(true);
    Object.assign(tokens, body);
  }
  // The access token would have lived nine minutes longer.
  service.advance(0.1 * HOUR + 1_000);
  expect((await client.post('/refresh', tokens)).body.code).toBe('INVALID_REFRESH_TOKEN');
  expect((await nativeClient(service, tokens.accessToken).get('/me')).status).toBe(401);
});

/** Uses a refresh token; `live` is the token that came back, `code` why none did. */
async function use(service: TestService, refreshToken: string) {
  const { status, body } = await nativeClient(service).post('/refresh', { refreshToken });
  return { status, live: String(body.refreshToken), code: body.code, success: body.success };
}

test('the replay of a rotated token ends the session of thief and victim alike', async () => {
  const { service, client, refreshToken: stolen, sessionId, user } = await startSignedIn();
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

test('within the window a used token is answered with the one live token', async () => {
  const { service, refreshToken } = await startSignedIn();
  const first = await use(service, refreshToken);
  service.advance(9_000);
  for (const again of [await use(service, refreshToken), await use(service, refreshToken)]) {
    expect(again).toEqual(first);
  }
  expect((await use(service, first.live)).status).toBe(200);
});

test('the database holds nothing that could be used as a refresh token', async () => {
  const { service, refreshToken } = await startSignedIn();
  const { live } = await use(service, refreshToken);
  const rows = await service.services.db.selectFrom('sessions').selectAll().execute();
  const stored = JSON.stringify(rows);
  for (const token of [refreshToken, live]) {
    for (const part of token.split('.')) expect(stored).not.toContain(part);
  }
});
