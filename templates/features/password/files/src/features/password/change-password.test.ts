import { expect, test } from 'vitest';
import { type Client, nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  requestResetToken,
  signInWithPassword,
} from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';
import { startSignedIn } from '../../../test/sign-in-as.js';

const NEW = 'a password that is new';

const MINUTE = 60_000;

const wrongPassword = {
  error: 'The current password is wrong.',
  code: 'INVALID_CURRENT_PASSWORD',
};

function change(client: Client, currentPassword: unknown, newPassword = NEW) {
  return client.post('/change-password', { currentPassword, newPassword });
}

test('a change replaces the password, ends the other sessions, voids reset links and notifies the owner', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const thief = await signInWithPassword(service, account);
  const stranger = await signInWithPassword(service, await createPasswordAccount(service));
  const owner = await signInWithPassword(service, account);
  const token = await requestResetToken(service, account.email);

  const { status, body } = await change(owner, account.password);

  expect([status, body]).toEqual([200, { success: true }]);
  await signInWithPassword(service, { ...account, password: NEW });
  await expect(signInWithPassword(service, account)).rejects.toThrow('INVALID_CREDENTIALS');
  expect((await thief.get('/me')).body.code).toBe('SESSION_REVOKED');
  for (const client of [owner, stranger]) expect((await client.get('/me')).status).toBe(200);
  const reset = await thief.post('/reset-password', { token, newPassword: 'of a thief' });
  expect([reset.status, reset.body.code]).toEqual([400, 'INVALID_RESET_TOKEN']);
  expect((await service.mails()).at(-1)).toMatchObject({
    to: account.email,
    name: 'passwordChanged',
  });
  expect(await service.events()).toContainEqual(
    expect.objectContaining({
      event: 'identity.user.password.changed',
      data: { method: 'change' },
      metadata: expect.objectContaining({ userId: account.id }),
    }),
  );
});

test('a wrong current password is 400: after a 401 a client would refresh and try again', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);

  for (const guess of ['a guess', account.password.toUpperCase(), '']) {
    const { status, body } = await change(client, guess);
    expect([status, body]).toEqual([400, wrongPassword]);
  }

  await signInWithPassword(service, account);
});

/** For an account without a password: it comes from another way to sign in, or from an administrator. */
const FIRST = { currentPassword: '', newPassword: 'a first password' };

test('an account without a password sets one by an empty `currentPassword`', async () => {
  const { service, user, client } = await startSignedIn();

  const { status, body } = await client.post('/change-password', FIRST);

  expect([status, body]).toEqual([200, { success: true }]);
  await signInWithPassword(service, { email: user.email, password: FIRST.newPassword });
});

test('a stolen session cannot set a first password: that needs a recent sign-in', async () => {
  const { service, user, client } = await startSignedIn({}, { REAUTH_WINDOW: '10m' });
  service.advance(10 * MINUTE + 1000);

  const { status, body } = await client.post('/change-password', FIRST);

  expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  const login = { email: user.email, password: FIRST.newPassword };
  expect((await nativeClient(service).post('/login', login)).status).toBe(401);
});
