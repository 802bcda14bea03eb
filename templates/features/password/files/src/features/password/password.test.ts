import bcrypt from 'bcrypt';
import { expect, test } from 'vitest';
import { type Client, nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  opensWith,
  requestResetToken,
  resetPassword,
  signInWithPassword,
} from '../../../test/flows/password.js';
import { runCommand } from '../../../test/process.js';
import { startTestService } from '../../../test/service.js';
import { startSignedIn } from '../../../test/sign-in-as.js';
import { bootstrapAdmin } from '../../commands/administrators.js';

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

const LONGEST = 'x'.repeat(72);

test('the link is mailed to the address and leads to the front end', async () => {
  const service = await startTestService({ APP_URL: 'https://app.example.com' });
  const { email } = await createPasswordAccount(service);

  const { status, body } = await nativeClient(service).post('/forgot-password', { email });

  expect([status, body]).toEqual([200, { success: true }]);
  const mails = await service.mails();
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ to: email, name: 'passwordReset' });
  const link = /https:\/\/app\.example\.com\/reset-password\?token=[0-9a-f]{64}\b/;
  expect(mails[0]?.text).toMatch(link);
  expect(mails[0]?.html).toMatch(link);
});

test('enumeration: an address without an account is answered alike and mailed nothing', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service);
  const client = nativeClient(service);

  const known = await client.post('/forgot-password', { email });
  const unknown = await client.post('/forgot-password', { email: 'nobody@example.com' });

  expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()]);
  expect((await service.mails()).map(({ to }) => to)).toEqual([email]);
});

test('a reset sets the new password, ends all sessions and notifies the owner', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const thief = await signInWithPassword(service, account);
  const owner = await signInWithPassword(service, account);
  const token = await requestResetToken(service, account.email);

  const { status, body } = await resetPassword(service, token);

  expect([status, body]).toEqual([200, { success: true }]);
  expect(await opensWith(service, account, NEW)).toBe(true);
  expect(await opensWith(service, account, account.password)).toBe(false);
  for (const client of [thief, owner]) {
    const refused = await client.get('/me');
    expect([refused.status, refused.body.code]).toEqual([401, 'SESSION_REVOKED']);
  }
  const told = (await service.events()).filter(({ event }) => /revoked|changed/.test(event));
  expect(told).toMatchObject([
    { data: { reason: 'password-reset' } },
    { data: { reason: 'password-reset' } },
    { data: { method: 'reset' }, metadata: { userId: account.id } },
  ]);
  expect((await service.mails()).at(-1)).toMatchObject({
    to: account.email,
    name: 'passwordChanged',
  });
});

test('truncation: a longer text that begins with a password of 72 bytes does not sign in', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service, { password: LONGEST });
  const client = nativeClient(service);

  const longer = await client.post('/login', { email, password: `${LONGEST}!` });
  const shorter = await client.post('/login', { email, password: LONGEST.slice(1) });
  const exact = await client.post('/login', { email, password: LONGEST });

  expect([longer.status, shorter.status, exact.status]).toEqual([400, 401, 200]);
});

test('a hash of a lower cost becomes one of the configured cost at the next sign-in', async () => {
  const service = await startTestService({ BCRYPT_COST: '11' });
  const { password: passwords } = service.services;
  const account = await createPasswordAccount(service);
  await passwords.save(account.id, await bcrypt.hash(account.password, 10));

  await signInWithPassword(service, account);
  await service.idle();

  expect(bcrypt.getRounds((await passwords.findHash(account.id)) ?? '')).toBe(11);
  await signInWithPassword(service, account);
});

const EMAIL = 'ada@example.com';
/** For the command, which asks your policy. */
const PASSWORD = 'Correct-horse-9-battery-staple!';
const FIRST_ADMIN = {
  BOOTSTRAP_ADMIN_EMAIL: 'Ada@example.com',
  BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
};

test('`admin create` makes an administrator who signs in with the password given on stdin', async () => {
  const service = await startTestService();
  const args = ['create', 'ADA@example.com', '--password-stdin'];

  const created = await runCommand(service, 'admin', args, `${PASSWORD}\n`);

  expect(created).toMatchObject({ code: 0, stderr: '' });
  expect(created.stdout).not.toContain(PASSWORD);
  const client = await signInWithPassword(service, { email: EMAIL, password: PASSWORD });
  expect((await client.get('/me')).body).toMatchObject({
    email: EMAIL,
    role: 'admin',
    permissions: ['*:*'],
    isEmailVerified: true,
  });
});

test('BOOTSTRAP_ADMIN_* create the first administrator, and no second one at the next start', async () => {
  const service = await startTestService(FIRST_ADMIN);
  const { services } = service;
  const config = { ...services.config, BOOTSTRAP_ADMIN_EMAIL: 'other@example.com' };
  await bootstrapAdmin({ ...services, config });

  const client = await signInWithPassword(service, { email: EMAIL, password: PASSWORD });
  expect((await client.get('/me')).body).toMatchObject({ role: 'admin', isEmailVerified: true });
  expect(await services.users.findByEmail('other@example.com')).toBeUndefined();
});

test('attack: BOOTSTRAP_ADMIN_* never promote a registered account with the address', async () => {
  const { services } = await startTestService();
  await services.users.create({ email: EMAIL, loginProvider: 'local' });
  await bootstrapAdmin({ ...services, config: { ...services.config, ...FIRST_ADMIN } });
  expect(await services.userRoles.isHeld('admin')).toBe(false);
});
