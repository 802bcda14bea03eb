import { generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { expect, test } from 'vitest';
import { nativeClient } from '../../test/client.js';
import { startTestService, type TestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';

type Claims = Record<string, unknown>;

const claimsOf = (token: string) => jwt.decode(token) as Claims;
const accessSecret = ({ config }: TestService) => config.ACCESS_TOKEN_SECRET[0] ?? '';
const refreshSecret = ({ config }: TestService) => config.REFRESH_TOKEN_SECRET[0] ?? '';
const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');

async function expectRefused(service: TestService, token: string): Promise<void> {
  const access = await nativeClient(service, token).get('/me');
  expect([access.status, access.body.code]).toEqual([401, 'INVALID_TOKEN']);
  const refresh = await nativeClient(service).post('/refresh', { refreshToken: token });
  expect([refresh.status, refresh.body.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
}

test('an access token says who, how and until when', async () => {
  const service = await startTestService();
  const { user, sessionId, accessToken } = await signInAs(service, { role: 'admin' });
  const claims = claimsOf(accessToken);
  expect(claims).toEqual({
    sub: user.id,
    email: user.email,
    role: 'admin',
    loginProvider: 'local',
    isEmailVerified: false,
    isTotpEnabled: false,
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
  const service = await startTestService();
  const { accessToken, refreshToken } = await signInAs(service);
  const asAccess = await nativeClient(service, refreshToken).get('/me');
  expect([asAccess.status, asAccess.body.code]).toEqual([401, 'INVALID_TOKEN']);
  const asRefresh = await nativeClient(service).post('/refresh', { refreshToken: accessToken });
  expect([asRefresh.status, asRefresh.body.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
});

test.each(['2fa', '2fa-setup', 'refresh', 'Access', '', undefined, ['access'], null])(
  'token type confusion: a token of type %j, rightly signed, opens nothing',
  async (typ) => {
    const service = await startTestService();
    const { accessToken } = await signInAs(service);
    const claims = { ...claimsOf(accessToken), typ };
    await expectRefused(service, jwt.sign(claims, accessSecret(service)));
  },
);

test('an access token signed with the refresh secret is refused, and the other way round', async () => {
  const service = await startTestService();
  const { accessToken, refreshToken } = await signInAs(service);
  await expectRefused(service, jwt.sign(claimsOf(accessToken), refreshSecret(service)));
  await expectRefused(service, jwt.sign(claimsOf(refreshToken), accessSecret(service)));
});

test('alg none: a token without a signature is refused', async () => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service);
  for (const alg of ['none', 'None', 'NONE']) {
    const unsigned = `${encode({ alg, typ: 'JWT' })}.${encode(claimsOf(accessToken))}`;
    await expectRefused(service, `${unsigned}.`);
    await expectRefused(service, `${unsigned}.${accessToken.split('.')[2]}`);
  }
  const [header, payload] = accessToken.split('.');
  await expectRefused(service, `${header}.${payload}.`);
});

test('a token signed with another key is refused', async () => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service);
  for (const key of ['another-secret-of-32-bytes-or-more-', ' ', accessSecret(service).slice(1)]) {
    await expectRefused(service, jwt.sign(claimsOf(accessToken), key));
  }
});

test('algorithm confusion: only HS256 is taken, whatever the header says', async () => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service);
  const claims = claimsOf(accessToken);
  await expectRefused(service, jwt.sign(claims, accessSecret(service), { algorithm: 'HS512' }));

  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ofOwnKey = { algorithm: 'RS256', header: { alg: 'RS256', jwk: publicKey } } as const;
  await expectRefused(service, jwt.sign(claims, privateKey, ofOwnKey));

  const [, payload, signature] = accessToken.split('.');
  await expectRefused(service, `${encode({ alg: 'RS256', typ: 'JWT' })}.${payload}.${signature}`);
});

test('a tampered payload is refused', async () => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service);
  const [header, , signature] = accessToken.split('.');
  const payload = encode({ ...claimsOf(accessToken), role: 'admin' });
  await expectRefused(service, `${header}.${payload}.${signature}`);
});

test.each<[string, Claims]>([
  ['of another issuer', { iss: 'http://evil.test' }],
  ['for another audience', { aud: 'http://other.test' }],
  ['that has expired', { exp: 1_700_000_000 }],
  ['that never expires', { exp: undefined }],
  ['without a session', { sid: undefined }],
  ['without a user', { sub: undefined }],
])('a token %s, rightly signed, is refused', async (_name, change) => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service);
  const changed = JSON.parse(JSON.stringify({ ...claimsOf(accessToken), ...change }));
  await expectRefused(service, jwt.sign(changed, accessSecret(service)));
});

test('an access token ends with ACCESS_TOKEN_TTL', async () => {
  const service = await startTestService({ ACCESS_TOKEN_TTL: '5m' });
  const { client } = await signInAs(service);
  service.advance(4 * 60_000);
  expect((await client.get('/me')).status).toBe(200);
  service.advance(60_000);
  expect((await client.get('/me')).body.code).toBe('INVALID_TOKEN');
});
