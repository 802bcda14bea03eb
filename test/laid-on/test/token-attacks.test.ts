import jwt from 'jsonwebtoken';
import { expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

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
});

/** A user whose access token was used, and so is remembered. */
async function remembered() {
  const service = await startTestService();
  const ada = await signInAs(service);
  expect((await ada.client.get('/me')).status).toBe(200);
  return { service, ada };
}

test('a remembered token is refused once it has expired', async () => {
  const { service, ada } = await remembered();
  service.advance(15 * 60_000 + 1000);
  expect((await ada.client.get('/me')).body.code).toBe('INVALID_TOKEN');
});

test('attack: floods of tokens push none out for good', async () => {
  const { service, ada } = await remembered();
  for (let index = 0; index < 50; index++) service.services.accessTokens.verify(`made.up.${index}`);
  expect((await ada.client.get('/me')).status).toBe(200);
});

test('a secret that was taken off the list verifies nothing any more', async () => {
  const before = await startTestService();
  const { accessToken, refreshToken } = await signInAs(before);
  const after = await startTestService({
    DATABASE_URL: before.config.DATABASE_URL,
    ACCESS_TOKEN_SECRET: 'new-access-secret-9876543210-jihgfedcba',
    REFRESH_TOKEN_SECRET: 'new-refresh-secret-9876543210-ihgfedcba',
  });
  expect((await nativeClient(after, accessToken).get('/me')).body.code).toBe('INVALID_TOKEN');
  const { body } = await nativeClient(after).post('/refresh', { refreshToken });
  expect(body.code).toBe('INVALID_REFRESH_TOKEN');
});

async function startWithUser() {
  const service = await startTestService();
  const { user } = await signInAs(service);
  return { service, user, tokens: service.services.oneTimeTokens };
}

const HOUR = 60 * 60 * 1000;

test.each(['', 'x', '0'.repeat(64), "' or 1=1 --", '\0', 'x'.repeat(10_000)])(
  'the guess %j opens nothing',
  async (guess) => {
    const { user, tokens } = await startWithUser();
    await tokens.issue('reset', user.id, HOUR);
    expect(await tokens.consume('reset', guess)).toBeUndefined();
  },
);

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
