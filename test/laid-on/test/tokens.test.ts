import jwt from 'jsonwebtoken';
import { expect, test } from 'vitest';
import { disableUser } from '../src/session/end-session.js';
import { browser, nativeClient } from './client.js';
import { startTestService, type TestService } from './service.js';
import { signInAs, signInBrowserAs } from './sign-in-as.js';

type Claims = Record<string, unknown>;

const claimsOf = (token: string) => jwt.decode(token) as Claims;

const accessSecret = ({ config }: TestService) => config.ACCESS_TOKEN_SECRET[0] ?? '';

const refreshSecret = ({ config }: TestService) => config.REFRESH_TOKEN_SECRET[0] ?? '';

async function expectRefused(service: TestService, token: string): Promise<void> {
  const access = await nativeClient(service, token).get('/me');
  expect([access.status, access.body.code]).toEqual([401, 'INVALID_TOKEN']);
  const refresh = await nativeClient(service).post('/refresh', { refreshToken: token });
  expect([refresh.status, refresh.body.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
}

test('attack: a signed token that names another user than its session is refused', async () => {
  const service = await startTestService();
  const [ada, eve] = [await signInAs(service), await signInAs(service, { role: 'admin' })];
  const withSub = (token: string) => ({ ...claimsOf(token), sub: eve.user.id });
  await expectRefused(service, jwt.sign(withSub(ada.accessToken), accessSecret(service)));
  await expectRefused(service, jwt.sign(withSub(ada.refreshToken), refreshSecret(service)));
  expect((await ada.client.get('/me')).status).toBe(200);
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

/** A user whose access token was used, and so is remembered. */
async function remembered() {
  const service = await startTestService();
  const ada = await signInAs(service);
  expect((await ada.client.get('/me')).status).toBe(200);
  return { service, ada };
}

test('a remembered token of an ended session opens nothing', async () => {
  const { service, ada } = await remembered();
  await service.services.sessions.revokeAllOfUser(ada.user.id);
  expect((await ada.client.get('/me')).body.code).toBe('SESSION_REVOKED');
});

test('attack: a token that differs from a remembered one in its signature alone is refused', async () => {
  const { service, ada } = await remembered();
  const forged = ada.accessToken.replace(/.(?=.{8}$)/, (sign) => (sign === 'A' ? 'B' : 'A'));
  expect((await nativeClient(service, forged).get('/me')).body.code).toBe('INVALID_TOKEN');
});

const OLD = ['old-access-secret-0123456789-abcdefghij', 'old-refresh-secret-0123456789-abcdefghi'];

const NEW = ['new-access-secret-9876543210-jihgfedcba', 'new-refresh-secret-9876543210-ihgfedcba'];

/** The service on the same database, with other secrets. */
function restartWith(service: TestService, access: string, refresh: string): Promise<TestService> {
  return startTestService({
    DATABASE_URL: service.config.DATABASE_URL,
    ACCESS_TOKEN_SECRET: access,
    REFRESH_TOKEN_SECRET: refresh,
  });
}

async function startWithOldSecrets(): Promise<TestService> {
  const [access = '', refresh = ''] = OLD;
  return startTestService({ ACCESS_TOKEN_SECRET: access, REFRESH_TOKEN_SECRET: refresh });
}

test('a page keeps its CSRF token while the secret changes, and has one of the new secret after a refresh', async () => {
  const before = await startWithOldSecrets();
  const { client } = await signInBrowserAs(before);
  const during = await restartWith(before, `${NEW[0]},${OLD[0]}`, `${NEW[1]},${OLD[1]}`);
  const atDuring = browser(during, client.cookies);
  expect((await atDuring.patch('/profile', { name: 'Ada' })).status).toBe(200);
  expect((await atDuring.post('/refresh')).status).toBe(200);
  const atAfter = browser(await restartWith(before, `${NEW[0]}`, `${NEW[1]}`), client.cookies);
  expect((await atAfter.patch('/profile', { name: 'Ada' })).status).toBe(200);
});

test('race: a session that was being opened while the account was disabled opens nothing', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service, { email: 'eve@example.com' });
  await disableUser(service.services, user.id, {});
  // The sign-in had looked at the account before, and ends now.
  const { client, refreshToken } = await signInAs(service, { email: 'eve@example.com' });
  expect((await client.get('/me')).body.code).toBe('SESSION_REVOKED');
  const refreshed = await client.post('/refresh', { refreshToken });
  expect(refreshed.body.code).toBe('ACCOUNT_DISABLED');
});
