import { generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { expect, test } from 'vitest';
import { nativeClient } from '../../test/client.js';
import { startTestService, type TestService } from '../../test/service.js';
import { signInAs, startSignedIn } from '../../test/sign-in-as.js';

type Claims = Record<string, unknown>;

const claimsOf = (token: string) => jwt.decode(token) as Claims;

const accessSecret = ({ config }: TestService) => config.ACCESS_TOKEN_SECRET[0] ?? '';

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');

async function expectRefused(service: TestService, token: string): Promise<void> {
  const access = await nativeClient(service, token).get('/me');
  expect([access.status, access.body.code]).toEqual([401, 'INVALID_TOKEN']);
  const refresh = await nativeClient(service).post('/refresh', { refreshToken: token });
  expect([refresh.status, refresh.body.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
}

test('an access token says who, how and until when', async () => {
  const { user, sessionId, accessToken } = await startSignedIn({ role: 'admin' });
  const claims = claimsOf(accessToken);
  expect(claims).toEqual({
    sub: user.id,
    email: user.email,
    role: 'admin',
    loginProvider: 'local',
    isEmailVerified: true,
    isTotpEnabled: false,
    amr: [expect.any(String)],
    sid: sessionId,
    typ: 'access',
    jti: expect.any(String),
    iss: 'http://auth.test',
    aud: 'http://auth.test',
    iat: expect.any(Number),
    exp: expect.any(Number),
  });
  expect(Number(claims.exp) - Number(claims.iat)).toBe(15 * 60);
  expect(jwt.decode(accessToken, { complete: true })?.header).toEqual({ alg: 'HS256', typ: 'JWT' });
});

test('token type confusion: neither kind passes for the other', async () => {
  const { service, accessToken, refreshToken } = await startSignedIn();
  const asAccess = await nativeClient(service, refreshToken).get('/me');
  expect([asAccess.status, asAccess.body.code]).toEqual([401, 'INVALID_TOKEN']);
  const asRefresh = await nativeClient(service).post('/refresh', { refreshToken: accessToken });
  expect([asRefresh.status, asRefresh.body.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
});

test('alg none: a token without a signature is refused', async () => {
  const { service, accessToken } = await startSignedIn();
  for (const alg of ['none', 'None', 'NONE']) {
    const unsigned = `${encode({ alg, typ: 'JWT' })}.${encode(claimsOf(accessToken))}`;
    await expectRefused(service, `${unsigned}.`);
    await expectRefused(service, `${unsigned}.${accessToken.split('.')[2]}`);
  }
  const [header, payload] = accessToken.split('.');
  await expectRefused(service, `${header}.${payload}.`);
});

test('algorithm confusion: only HS256 is accepted, whatever the header says, and only for this audience', async () => {
  const { service, accessToken } = await startSignedIn();
  const claims = claimsOf(accessToken);
  await expectRefused(service, jwt.sign(claims, accessSecret(service), { algorithm: 'HS512' }));
  await expectRefused(service, jwt.sign({ ...claims, aud: 'other' }, accessSecret(service)));

  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ofOwnKey = { algorithm: 'RS256', header: { alg: 'RS256', jwk: publicKey } } as const;
  await expectRefused(service, jwt.sign(claims, privateKey, ofOwnKey));

  const [, payload, signature] = accessToken.split('.');
  await expectRefused(service, `${encode({ alg: 'RS256', typ: 'JWT' })}.${payload}.${signature}`);
});

test('an access token ends with ACCESS_TOKEN_TTL', async () => {
  const { service, client } = await startSignedIn({}, { ACCESS_TOKEN_TTL: '5m' });
  service.advance(4 * 60_000);
  expect((await client.get('/me')).status).toBe(200);
  service.advance(60_000);
  expect((await client.get('/me')).body.code).toBe('INVALID_TOKEN');
});

const OLD = {
  ACCESS_TOKEN_SECRET: 'old-access-secret-0123456789-abcdefghij',
  REFRESH_TOKEN_SECRET: 'old-refresh-secret-0123456789-abcdefghi',
};

const NEW = {
  ACCESS_TOKEN_SECRET: 'new-access-secret-9876543210-jihgfedcba',
  REFRESH_TOKEN_SECRET: 'new-refresh-secret-9876543210-ihgfedcba',
};

const BOTH = {
  ACCESS_TOKEN_SECRET: `${NEW.ACCESS_TOKEN_SECRET},${OLD.ACCESS_TOKEN_SECRET}`,
  REFRESH_TOKEN_SECRET: `${NEW.REFRESH_TOKEN_SECRET}, ${OLD.REFRESH_TOKEN_SECRET}`,
};

test('a secret is changed without ending a session: the first signs, all verify', async () => {
  const before = await startTestService(OLD);
  const { DATABASE_URL } = before.config;
  const { accessToken, refreshToken } = await signInAs(before);
  const during = await startTestService({ DATABASE_URL, ...BOTH });
  expect((await nativeClient(during, accessToken).get('/me')).status).toBe(200);
  const { body } = await nativeClient(during).post('/refresh', { refreshToken });
  expect(body.success).toBe(true);

  expect((await nativeClient(before, body.accessToken).get('/me')).status).toBe(401);
  const after = await startTestService({ DATABASE_URL, ...NEW });
  expect((await nativeClient(after, body.accessToken).get('/me')).status).toBe(200);
  expect((await nativeClient(after).post('/refresh', body)).status).toBe(200);
});

test('with SESSION_CHECK=refresh an access token outlives its session, a refresh token does not', async () => {
  const { service, client, sessionId, refreshToken } = await startSignedIn(
    {},
    { SESSION_CHECK: 'refresh' },
  );
  await client.delete(`/sessions/${sessionId}`);
  expect((await client.get('/me')).status).toBe(200);
  expect((await client.post('/refresh', { refreshToken })).body.code).toBe('SESSION_REVOKED');
  service.advance(15 * 60_000);
  expect((await client.get('/me')).body.code).toBe('INVALID_TOKEN');
});
