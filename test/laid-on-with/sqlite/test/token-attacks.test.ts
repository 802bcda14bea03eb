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
const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');

async function expectRefused(service: TestService, token: string): Promise<void> {
  const access = await nativeClient(service, token).get('/me');
  expect([access.status, access.body.code]).toEqual([401, 'INVALID_TOKEN']);
  const refresh = await nativeClient(service).post('/refresh', { refreshToken: token });
  expect([refresh.status, refresh.body.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
}

test('an access token signed with the refresh secret is refused, and the other way round', async () => {
  const service = await startTestService();
  const { accessToken, refreshToken } = await signInAs(service);
  await expectRefused(service, jwt.sign(claimsOf(accessToken), refreshSecret(service)));
  await expectRefused(service, jwt.sign(claimsOf(refreshToken), accessSecret(service)));
});

test('a token signed with another key is refused', async () => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service);
  for (const key of ['another-secret-of-32-bytes-or-more-', ' ', accessSecret(service).slice(1)]) {
    await expectRefused(service, jwt.sign(claimsOf(accessToken), key));
  }
});

test('a tampered payload is refused', async () => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service);
  const [header, , signature] = accessToken.split('.');
  const payload = encode({ ...claimsOf(accessToken), role: 'admin' });
  await expectRefused(service, `${header}.${payload}.${signature}`);
});

test('the session says who somebody is: a signed token that names another user is refused', async () => {
  const service = await startTestService();
  const [ada, bob] = [await signInAs(service), await signInAs(service, { role: 'admin' })];
  const asBob = (token: string, secret: string) =>
    jwt.sign({ ...claimsOf(token), sub: bob.user.id }, secret);
  await expectRefused(service, asBob(ada.accessToken, accessSecret(service)));
  await expectRefused(service, asBob(ada.refreshToken, refreshSecret(service)));
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

test('a token never says that an address is verified before it is', async () => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service, { isEmailProven: false });
  expect(jwt.decode(accessToken)).toMatchObject({ isEmailVerified: false });
});

const NEW = {
  ACCESS_TOKEN_SECRET: 'new-access-secret-9876543210-jihgfedcba',
  REFRESH_TOKEN_SECRET: 'new-refresh-secret-9876543210-ihgfedcba',
};

test('a secret that was taken off the list no longer verifies', async () => {
  const before = await startTestService();
  const { accessToken, refreshToken } = await signInAs(before);
  const { DATABASE_URL } = before.config;
  const after = await startTestService({ DATABASE_URL, ...NEW });
  expect((await nativeClient(after, accessToken).get('/me')).body.code).toBe('INVALID_TOKEN');
  const { body } = await nativeClient(after).post('/refresh', { refreshToken });
  expect(body.code).toBe('INVALID_REFRESH_TOKEN');
});

test('a page keeps its CSRF token while the secret changes, and has one of the new secret after a refresh', async () => {
  const before = await startTestService();
  const {
    DATABASE_URL,
    ACCESS_TOKEN_SECRET: access,
    REFRESH_TOKEN_SECRET: refresh,
  } = before.config;
  const { client } = await signInBrowserAs(before);
  const during = await startTestService({
    DATABASE_URL,
    ACCESS_TOKEN_SECRET: `${NEW.ACCESS_TOKEN_SECRET},${access}`,
    REFRESH_TOKEN_SECRET: `${NEW.REFRESH_TOKEN_SECRET},${refresh}`,
  });
  const atDuring = browser(during, client.cookies);
  expect((await atDuring.patch('/profile', { name: 'Ada' })).status).toBe(200);
  expect((await atDuring.post('/refresh')).status).toBe(200);
  const atAfter = browser(await startTestService({ DATABASE_URL, ...NEW }), client.cookies);
  expect((await atAfter.patch('/profile', { name: 'Ada' })).status).toBe(200);
});

async function startWithUser() {
  const service = await startTestService();
  const { user } = await signInAs(service);
  return { service, user, tokens: service.services.oneTimeTokens };
}

const HOUR = 60 * 60 * 1000;

test('a deleted user leaves no token behind', async () => {
  const { service, user, tokens } = await startWithUser();
  const token = await tokens.issue('reset', user.id, HOUR);
  await service.services.db.deleteFrom('users').where('id', '=', user.id).execute();
  expect(await tokens.consume('reset', token)).toBeUndefined();
});

test('tokens and sessions of a deleted account are dead', async () => {
  const service = await startTestService();
  const ada = await signInAs(service);
  const other = await signInAs(service, { email: ada.user.email });
  await ada.client.delete('/account');
  expect((await ada.client.get('/me')).body.code).toBe('INVALID_TOKEN');
  expect((await other.client.get('/me')).body.code).toBe('INVALID_TOKEN');
  const { refreshToken } = other;
  const { status, body } = await nativeClient(service).post('/refresh', { refreshToken });
  expect([status, body.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
});

test('race: a session that was being opened while the account was disabled opens nothing', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service, { email: 'eve@example.com' });
  await disableUser(service.services, user.id, {});
  // The sign-in checked the account before, and finishes now.
  const { client, refreshToken } = await signInAs(service, { email: 'eve@example.com' });
  expect((await client.get('/me')).body.code).toBe('SESSION_REVOKED');
  const refreshed = await client.post('/refresh', { refreshToken });
  expect(refreshed.body.code).toBe('ACCOUNT_DISABLED');
});
