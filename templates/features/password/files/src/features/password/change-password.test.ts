import bcrypt from 'bcrypt';
import { expect, test, vi } from 'vitest';
import { type Client, nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  requestResetToken,
  signInWithPassword,
} from '../../../test/password-account.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const NEW = 'a password that is new';
const MINUTE = 60_000;

const wrongPassword = {
  error: 'The current password is wrong.',
  code: 'INVALID_CURRENT_PASSWORD',
};

function change(client: Client, currentPassword: unknown, newPassword = NEW) {
  return client.post('/change-password', { currentPassword, newPassword });
}

test('a change replaces the password, ends the other sessions, voids reset links and is told', async () => {
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

test('a wrong current password is 400, for at 401 a client would only refresh and try again', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);

  for (const guess of ['a guess', account.password.toUpperCase(), '']) {
    const { status, body } = await change(client, guess);
    expect([status, body]).toEqual([400, wrongPassword]);
  }

  await signInWithPassword(service, account);
});

test.each([
  ['changes', true],
  ['first passwords', false],
])('race: of ten parallel %s exactly one wins', async (_kind, hasPassword) => {
  const service = await startTestService();
  const { email, password } = await createPasswordAccount(service);
  const { user, client } = await signInAs(service, hasPassword ? { email } : {});
  const rivals = Array.from({ length: 10 }, (_, nth) => `password of rival ${nth}`);

  const current = hasPassword ? password : '';
  const answers = await Promise.all(rivals.map((rival) => change(client, current, rival)));

  const winner = answers.findIndex(({ status }) => status === 200);
  const losers = answers.toSpliced(winner, 1);
  expect(losers.map(({ status, body }) => [status, body])).toEqual(
    Array(9).fill([400, wrongPassword]),
  );
  await signInWithPassword(service, { email: user.email, password: rivals[winner] ?? '' });
});

/** Once the hash has been read, a sign-in makes it anew, as after a raised BCRYPT_COST; or a reset, by `password`. */
function rehashMeanwhile({ services }: TestService, password: string): void {
  const { password: passwords } = services;
  const read = passwords.findHash;
  vi.spyOn(passwords, 'findHash')
    .mockImplementationOnce(read)
    .mockImplementationOnce(async (userId) => {
      const hash = await read(userId);
      await passwords.save(userId, await bcrypt.hash(password, 11));
      return hash;
    });
}

test('race: the right password changes it while its hash is made anew at a higher cost', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const { client } = await signInAs(service, account);
  rehashMeanwhile(service, account.password);

  const { status, body } = await change(client, account.password);

  expect([status, body]).toEqual([200, { success: true }]);
  await signInWithPassword(service, { ...account, password: NEW });
});

test('race: a reset that is faster wins over a change, and over its proof', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const { client } = await signInAs(service, account);
  rehashMeanwhile(service, 'the password of a reset');

  const { status, body } = await change(client, account.password);

  expect([status, body]).toEqual([400, wrongPassword]);
  await signInWithPassword(service, { ...account, password: 'the password of a reset' });
});

// An account without a password comes from another way to sign in, or from an administrator.

const FIRST = { currentPassword: '', newPassword: 'a first password' };

test('an account without a password sets one by an empty `currentPassword`', async () => {
  const service = await startTestService();
  const { user, client } = await signInAs(service);

  const { status, body } = await client.post('/change-password', FIRST);

  expect([status, body]).toEqual([200, { success: true }]);
  await signInWithPassword(service, { email: user.email, password: FIRST.newPassword });
});

test('a stolen session cannot set one for good: that needs a sign-in of the last minutes', async () => {
  const service = await startTestService({ REAUTH_WINDOW: '10m' });
  const { user, client } = await signInAs(service);
  service.advance(10 * MINUTE + 1000);

  const { status, body } = await client.post('/change-password', FIRST);

  expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  const login = { email: user.email, password: FIRST.newPassword };
  expect((await nativeClient(service).post('/login', login)).status).toBe(401);
});
