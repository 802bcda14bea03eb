import { expect, test } from 'vitest';
import { nativeClient } from './client.js';
import {
  mailedToken,
  NAVIGATION,
  openAccount,
  signIn,
  verify,
  withToken,
} from './flows/email-verification.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const DAY = 24 * 60 * 60 * 1000;
const PAGE = 'http://app.test/email-verified';

test('a person who follows the link is redirected to the front end, which is told of a wrong link', async () => {
  const { service, token } = await withToken();
  const right = await verify(service, token, NAVIGATION);
  expect([right.status, right.headers.get('location')]).toEqual([302, PAGE]);
  const wrong = await verify(service, 'made-up', NAVIGATION);
  expect(wrong.headers.get('location')).toBe(`${PAGE}?error=INVALID_VERIFICATION_TOKEN`);
});

test('a mail scanner that opens the link first does its owner no harm', async () => {
  const { service, ada, token } = await withToken();
  const url = `${service.url}/auth/verify-email?token=${token}`;
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  expect((await ada.client.get('/me')).body.isEmailVerified).toBe(false);
  const scanner = await verify(service, token);
  expect(scanner.headers.getSetCookie().join()).not.toContain('accessToken');
  expect((await verify(service, token, NAVIGATION)).headers.get('location')).toBe(PAGE);
});

test('attack: a link that was mailed to an earlier address proves nothing of the new one', async () => {
  const { service, ada, token } = await withToken();
  const moved = service.services.db.updateTable('users').set({ email: 'eve@example.com' });
  await moved.where('id', '=', ada.user.id).execute();
  expect((await verify(service, token)).status).toBe(400);
  expect((await ada.client.get('/me')).body.isEmailVerified).toBe(false);
});

test('attack: neither requests nor refused sign-ins flood a mailbox', async () => {
  const service = await startTestService({ EMAIL_VERIFICATION: 'strict', RATE_LIMIT: 'on' });
  const ada = await signInAs(service, { isEmailProven: false });
  expect((await ada.client.post('/send-verification-email')).status).toBe(200);
  const { status, body, headers } = await ada.client.post('/send-verification-email');
  expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(50);
  for (let attempt = 0; attempt < 5; attempt++) await signIn(service, ada.user.id);
  expect(await service.mails()).toHaveLength(1);
});

test('odd tokens are refused, and only signed-in users ask for the mail', async () => {
  const service = await startTestService();
  for (const token of ['', 'x', '0'.repeat(64), '%00', 'é'.repeat(300), 'a'.repeat(9000)]) {
    const { status, body } = await verify(service, encodeURIComponent(token));
    expect([status, body.code]).toEqual([400, 'INVALID_VERIFICATION_TOKEN']);
  }
  const { body } = await nativeClient(service).post('/send-verification-email');
  expect(body.code).toBe('INVALID_TOKEN');
});

test('the stored setting wins over the variable, at once; null returns to it', async () => {
  const service = await startTestService({ EMAIL_VERIFICATION: 'strict' });
  const userId = await openAccount(service);
  await service.services.settings.set('emailVerificationMode', 'none');
  expect(await signIn(service, userId)).toBe('issued');
  await service.services.settings.set('emailVerificationMode', null);
  expect(await signIn(service, userId)).toBe('EMAIL_NOT_VERIFIED');
});

test('the link works for 24 hours, and a new one voids the older', async () => {
  const { service, ada, token } = await withToken();
  await ada.client.post('/send-verification-email');
  const newer = await mailedToken(service);
  expect((await verify(service, token)).status).toBe(400);
  service.advance(DAY + 1000);
  expect((await verify(service, newer)).body.code).toBe('INVALID_VERIFICATION_TOKEN');
});

test('none: nobody is asked, nothing is mailed', async () => {
  const service = await startTestService();
  expect(await signIn(service, await openAccount(service))).toBe('issued');
  expect(await service.mails()).toEqual([]);
});
