import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  opensWith,
  requestResetToken,
  resetPassword,
  signInWithPassword,
} from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';

const NEW = 'a password that is new';

test('the token of the mail sets a new password, and the old one opens nothing any more', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const token = await requestResetToken(service, account.email);

  const { status, body } = await resetPassword(service, token);

  expect([status, body]).toEqual([200, { success: true }]);
  expect(await opensWith(service, account, NEW)).toBe(true);
  expect(await opensWith(service, account, account.password)).toBe(false);
});

test('a reset ends all sessions: whoever knew the old password is out', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const thief = await signInWithPassword(service, account);
  const owner = await signInWithPassword(service, account);
  const token = await requestResetToken(service, account.email);

  await resetPassword(service, token);

  for (const client of [thief, owner]) {
    const { status, body } = await client.get('/me');
    expect([status, body.code]).toEqual([401, 'SESSION_REVOKED']);
  }
  const reasons = (await service.events()).flatMap(({ event, data }) =>
    event === 'identity.session.revoked' ? [data] : [],
  );
  expect(reasons).toMatchObject([{ reason: 'password-reset' }, { reason: 'password-reset' }]);
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

test('the owner is told by mail, and listeners by an event, that the password has changed', async () => {
  const service = await startTestService();
  const { id, email } = await createPasswordAccount(service);
  await resetPassword(service, await requestResetToken(service, email));

  expect((await service.mails()).at(-1)).toMatchObject({
    to: email,
    subject: 'Your password was changed',
  });
  expect(await service.events()).toContainEqual(
    expect.objectContaining({
      event: 'identity.user.password.changed',
      data: { method: 'reset' },
      metadata: expect.objectContaining({ userId: id }),
    }),
  );
});

test('who was locked out by wrong guesses gets in again by a reset', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const account = await createPasswordAccount(service);
  const { email } = account;
  const client = nativeClient(service);
  for (let nth = 0; nth < 6; nth++) await client.post('/login', { email, password: 'a guess' });
  expect(await opensWith(service, account, account.password)).toBe(false);

  await resetPassword(service, await requestResetToken(service, email));

  expect(await opensWith(service, account, NEW)).toBe(true);
});
