import { expect, test } from 'vitest';
import {
  mailedToken,
  NAVIGATION,
  openAccount,
  signIn,
  verify,
  withToken,
} from '../../../test/flows/email-verification.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const DAY = 24 * 60 * 60 * 1000;

test('the mailed link leads to the service itself and verifies the address, once', async () => {
  const { service, ada, token } = await withToken();
  const [mail] = await service.mails();
  expect(mail).toMatchObject({ to: 'ada@example.com', name: 'verification' });
  expect(mail?.text).toContain(`http://auth.test/auth/verify-email?token=${token}`);
  expect((await ada.client.get('/me')).body.isEmailVerified).toBe(false);
  expect((await verify(service, token)).body).toEqual({ success: true });
  expect((await ada.client.get('/me')).body.isEmailVerified).toBe(true);

  const replayed = await verify(service, token);
  expect([replayed.status, replayed.body.code]).toEqual([400, 'INVALID_VERIFICATION_TOKEN']);
});

test('the link proves the address only where the account has a session, even after a scanner', async () => {
  const { service, ada, token } = await withToken();
  const eve = await signInAs(service);
  const isProven = async () =>
    (await service.services.users.findById(ada.user.id))?.emailProvenAt !== null;

  await verify(service, token, NAVIGATION);
  await eve.client.get(`/verify-email?token=${token}`);
  expect(await isProven()).toBe(false);
  expect((await ada.client.post('/send-verification-email')).status).toBe(200);

  expect((await ada.client.get(`/verify-email?token=${await mailedToken(service)}`)).status).toBe(
    200,
  );
  expect(await isProven()).toBe(true);
  const { status, body } = await ada.client.post('/send-verification-email');
  expect([status, body.code]).toEqual([400, 'ALREADY_VERIFIED']);
});

test('strict: no sign-in before the address is verified; the link is mailed again', async () => {
  const service = await startTestService({ EMAIL_VERIFICATION: 'strict' });
  const userId = await openAccount(service);
  expect(await service.mails()).toHaveLength(1);
  expect(await signIn(service, userId)).toBe('EMAIL_NOT_VERIFIED');
  expect(await service.mails(), 'the first link is on its way').toHaveLength(1);
  service.advance(60_000);
  expect(await signIn(service, userId)).toBe('EMAIL_NOT_VERIFIED');
  expect(await service.mails()).toHaveLength(2);
  await service.services.users.markEmailVerified(userId);
  expect(await signIn(service, userId)).toBe('issued');
});

test('lazy: a grace period, then no sign-in', async () => {
  const grace = { EMAIL_VERIFICATION: 'lazy', EMAIL_VERIFICATION_GRACE: '7d' };
  const service = await startTestService(grace);
  const userId = await openAccount(service);
  expect(await signIn(service, userId)).toBe('issued');
  expect(await service.mails()).toHaveLength(1);
  service.advance(7 * DAY + 1000);
  expect(await signIn(service, userId)).toBe('EMAIL_VERIFICATION_REQUIRED');
  expect(await service.mails()).toHaveLength(2);
});
