import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../../test/client.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs, someRequest } from '../../../test/sign-in-as.js';
import { HttpError } from '../../http/errors.js';
import { finishLogin } from '../../session/finish-login.js';

const DAY = 24 * 60 * 60 * 1000;
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const PAGE = 'http://app.test/email-verified';

async function mailedToken(service: TestService): Promise<string> {
  const mail = (await service.mails()).at(-1);
  return /token=([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1] ?? '';
}

/** A signed-in user and the token that was mailed to them. */
async function withToken() {
  const service = await startTestService();
  const ada = await signInAs(service, { email: 'ada@example.com' });
  await ada.client.post('/send-verification-email');
  return { service, ada, token: await mailedToken(service) };
}

const verify = (service: TestService, token: string, headers = {}) =>
  browser(service).get(`/verify-email?token=${token}`, headers);

async function openAccount({ services }: TestService): Promise<string> {
  const user = await services.users.create({ email: 'ada@example.com', loginProvider: 'local' });
  if (!user) throw new Error('taken');
  const created = { email: user.email, loginProvider: 'local' };
  services.events.publish('identity.user.created', created, { userId: user.id });
  return user.id;
}

/** `issued`, or the code that the sign-in was refused with. */
async function signIn({ services }: TestService, userId: string): Promise<string> {
  try {
    await finishLogin(services, someRequest(), { userId, method: 'local' });
    return 'issued';
  } catch (error) {
    if (error instanceof HttpError) return error.code;
    throw error;
  }
}

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
  const { status, body } = await ada.client.post('/send-verification-email');
  expect([status, body.code]).toEqual([400, 'ALREADY_VERIFIED']);
});

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

test('race: of 20 parallel uses of one token exactly one wins', async () => {
  const { service, token } = await withToken();
  const answers = await Promise.all(Array.from({ length: 20 }, () => verify(service, token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
});

test('the link works for 24 hours, and a new one voids the older', async () => {
  const { service, ada, token } = await withToken();
  await ada.client.post('/send-verification-email');
  const newer = await mailedToken(service);
  expect((await verify(service, token)).status).toBe(400);
  service.advance(DAY + 1000);
  expect((await verify(service, newer)).body.code).toBe('INVALID_VERIFICATION_TOKEN');
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
  const ada = await signInAs(service);
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

test('none: nobody is asked, nothing is mailed', async () => {
  const service = await startTestService();
  expect(await signIn(service, await openAccount(service))).toBe('issued');
  expect(await service.mails()).toEqual([]);
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

test('the stored setting wins over the variable, at once; null returns to it', async () => {
  const service = await startTestService({ EMAIL_VERIFICATION: 'strict' });
  const userId = await openAccount(service);
  await service.services.settings.set('emailVerificationMode', 'none');
  expect(await signIn(service, userId)).toBe('issued');
  await service.services.settings.set('emailVerificationMode', null);
  expect(await signIn(service, userId)).toBe('EMAIL_NOT_VERIFIED');
});
