import bcrypt from 'bcrypt';
import { expect, test, vi } from 'vitest';
import { browser, type Client, nativeClient } from './client.js';
import { requestMagicLink } from './flows/magic-link.js';
import {
  createPasswordAccount,
  disableAccount,
  opensWith,
  requestResetToken,
  resetPassword,
  signInWithPassword,
} from './flows/password.js';
import { enrolTotp } from './flows/totp.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const HOUR = 60 * 60 * 1000;
const NEW = 'a password that is new';
const invalidLink = { error: 'This link is no longer valid.', code: 'INVALID_RESET_TOKEN' };

test('replay: a token works once', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const token = await requestResetToken(service, account.email);

  await resetPassword(service, token);
  const again = await resetPassword(service, token, 'the password of a thief');

  expect([again.status, again.body]).toEqual([400, invalidLink]);
  expect(await opensWith(service, account, NEW)).toBe(true);
});

test('mailbox thief: a reset and then a mailed link do not pass both steps of an account with an app', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  await enrolTotp(await signInAs(service, { email: account.email }));
  const client = nativeClient(service);

  await resetPassword(service, await requestResetToken(service, account.email));
  const { body } = await client.post('/login', { email: account.email, password: NEW });

  expect(body.available2faMethods).toEqual(['totp']);
  const second = { mode: '2fa', tempToken: body.tempToken };
  expect((await client.post('/magic-link/send', second)).body.code).toBe('METHOD_NOT_AVAILABLE');
  const token = await requestMagicLink(service, account.email);
  const tried = await client.post('/magic-link/verify', { ...second, token });
  expect(tried.body.code).toBe('METHOD_NOT_AVAILABLE');
});

test('a token lives for an hour; an expired one is answered like one that never was', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);

  const late = await requestResetToken(service, account.email);
  service.advance(HOUR + 1000);
  const expired = await resetPassword(service, late);
  const unknown = await resetPassword(service, 'f'.repeat(64));
  expect([expired.status, expired.body]).toEqual([400, invalidLink]);
  expect([unknown.status, unknown.body]).toEqual([400, invalidLink]);

  service.stopClock();
  const withTimeout = await requestResetToken(service, account.email);
  service.stopClock(HOUR - 1000);
  expect((await resetPassword(service, withTimeout)).status).toBe(200);
});

test('a new mail voids the link of an older one', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service);

  const older = await requestResetToken(service, email);
  const newer = await requestResetToken(service, email);

  expect((await resetPassword(service, older)).body.code).toBe('INVALID_RESET_TOKEN');
  expect((await resetPassword(service, newer)).status).toBe(200);
});

test('exhaustion: a made-up token costs no hash, for which sign-ins would have to wait', async () => {
  const service = await startTestService();
  const hash = vi.spyOn(bcrypt, 'hash');

  expect((await resetPassword(service, 'f'.repeat(64))).status).toBe(400);

  expect(hash).not.toHaveBeenCalled();
});

test.each([
  ['missing', undefined],
  ['a number', 1],
  ['a list', ['f'.repeat(64)]],
  ['empty', ''],
])('a token that is %s is a mistake of the request', async (_name, token) => {
  const service = await startTestService();

  const { status, body } = await resetPassword(service, token);

  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
});

test('a reset touches the account of the token and no other', async () => {
  const service = await startTestService();
  const ada = await createPasswordAccount(service);
  const mallory = await createPasswordAccount(service);
  const client = await signInWithPassword(service, ada);
  const token = await requestResetToken(service, mallory.email);

  // The body's further fields, and even Ada's own session, say nothing about whose password it is.
  await client.post('/reset-password', {
    token,
    newPassword: NEW,
    email: ada.email,
    userId: ada.id,
  });

  expect(await opensWith(service, mallory, NEW)).toBe(true);
  expect(await opensWith(service, ada, ada.password)).toBe(true);
  expect((await client.get('/me')).status).toBe(200);
});

test('another spelling of the address reaches the same account, at the stored address', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service, { email: 'ada@example.com' });

  await nativeClient(service).post('/forgot-password', { email: ' ＡDA@Example.com ' });

  expect((await service.mails()).map(({ to }) => to)).toEqual([email]);
});

test('an account that never had a password gets its first one by the link', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  const token = await requestResetToken(service, user.email);
  const client = nativeClient(service);

  await client.post('/reset-password', { token, newPassword: 'a first password' });

  const login = { email: user.email, password: 'a first password' };
  expect((await client.post('/login', login)).status).toBe(200);
});

test('a mail that cannot be sent does not change the answer', async () => {
  const send = vi.fn(async () => {
    throw new Error('no route to host');
  });
  const service = await startTestService({}, { mailer: { send } });
  const { email } = await createPasswordAccount(service);

  const { status } = await nativeClient(service).post('/forgot-password', { email });
  await service.mails();

  expect(status).toBe(200);
  expect(send).toHaveBeenCalledOnce();
});

test('older clients call the new password `password`; if both are sent, `newPassword` counts', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = nativeClient(service);

  const first = await requestResetToken(service, account.email);
  await client.post('/reset-password', { token: first, password: 'by the older name' });
  expect(await opensWith(service, account, 'by the older name')).toBe(true);

  const second = await requestResetToken(service, account.email);
  await client.post('/reset-password', { token: second, password: 'one', newPassword: NEW });
  expect(await opensWith(service, account, NEW)).toBe(true);
});

test('a user locked out by wrong guesses gets in again by a reset', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const account = await createPasswordAccount(service);
  const { email } = account;
  const client = nativeClient(service);
  for (let nth = 0; nth < 6; nth++) await client.post('/login', { email, password: 'a guess' });
  expect(await opensWith(service, account, account.password)).toBe(false);

  await resetPassword(service, await requestResetToken(service, email));

  expect(await opensWith(service, account, NEW)).toBe(true);
});

// The other way to a new password: a change, by whoever is signed in.

const FIRST = { currentPassword: '', newPassword: 'a first password' };

function change(client: Client, currentPassword: unknown, newPassword = NEW) {
  return client.post('/change-password', { currentPassword, newPassword });
}

test('CSRF: a browser changes it only with the token of its own session', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = browser(service);
  await client.post('/login', account);
  const body = { currentPassword: account.password, newPassword: NEW };

  const forged = await client.post('/change-password', body, { 'x-csrf-token': 'forged' });
  expect([forged.status, forged.body.code]).toEqual([403, 'CSRF_INVALID']);

  expect((await client.post('/change-password', body)).status).toBe(200);
});

test('nobody changes a password without a session, whatever else they know', async () => {
  const service = await startTestService();
  const { password } = await createPasswordAccount(service);

  const { status, body } = await change(nativeClient(service), password);

  expect([status, body.code]).toEqual([401, 'INVALID_TOKEN']);
});

test('a refused change notifies nobody', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  await change(await signInWithPassword(service, account), 'a guess');

  expect(await service.mails()).toEqual([]);
  const names = (await service.events()).map(({ event }) => event);
  expect(names).not.toContain('identity.user.password.changed');
});

test('while an account has no password, no current password is right', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service);

  const change = { ...FIRST, currentPassword: 'a guess' };
  const { status, body } = await client.post('/change-password', change);

  expect([status, body.code]).toEqual([400, 'INVALID_CURRENT_PASSWORD']);
});

test('once there is one, an empty `currentPassword` is no longer accepted', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service);
  await client.post('/change-password', FIRST);

  const change = { ...FIRST, newPassword: 'of a thief' };
  const { status, body } = await client.post('/change-password', change);

  expect([status, body.code]).toEqual([400, 'INVALID_CURRENT_PASSWORD']);
});

const impossible: [string, unknown][] = [
  ['of 73 bytes', 'x'.repeat(73)],
  ['of 73 bytes in 25 characters', `${'€'.repeat(24)}x`],
  ['with a NUL', 'secret\0sauce'],
  ['that is empty', ''],
  ['that is a list', ['secret']],
  ['that is missing', undefined],
];

test('an impossible password is refused by change, and the old one stays', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);

  for (const [name, newPassword] of impossible) {
    const change = { currentPassword: account.password, newPassword };
    const { status, body } = await client.post('/change-password', change);
    expect([name, status, body.code]).toEqual([name, 400, 'VALIDATION_FAILED']);
    expect(body.details).toEqual([{ path: 'newPassword', message: expect.any(String) }]);
  }

  await signInWithPassword(service, account);
});

test('a disabled account is mailed no link, and its request is answered alike', async () => {
  const service = await startTestService();
  const { id, email } = await createPasswordAccount(service);
  await disableAccount(service, id);

  const { status, body } = await nativeClient(service).post('/forgot-password', { email });

  expect([status, body]).toEqual([200, { success: true }]);
  expect(await service.mails()).toEqual([]);
});

test.each([
  ['empty', ''],
  ['a word', 'ada'],
  ['with a NUL', 'a\0b@example.com'],
  ['endless', `${'a'.repeat(600)}@example.com`],
])('text that is no address counts as unknown: %s', async (_name, email) => {
  const client = nativeClient(await startTestService());

  const forgotten = await client.post('/forgot-password', { email });
  const signedIn = await client.post('/login', { email, password: 'a guess' });

  expect([forgotten.status, forgotten.body]).toEqual([200, { success: true }]);
  expect([signedIn.status, signedIn.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
});
