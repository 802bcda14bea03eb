import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../../test/client.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const DAY = 24 * 60 * 60 * 1000;
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

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

test('the mailed link leads to the service itself and verifies the address', async () => {
  const { service, ada, token } = await withToken();
  const [mail] = await service.mails();
  expect(mail).toMatchObject({ to: 'ada@example.com', subject: 'Confirm your address' });
  expect(mail?.text).toContain(`http://auth.test/auth/verify-email?token=${token}`);
  expect((await ada.client.get('/me')).body.isEmailVerified).toBe(false);
  const { status, body } = await verify(service, token);
  expect([status, body]).toEqual([200, { success: true }]);
  expect((await ada.client.get('/me')).body.isEmailVerified).toBe(true);
});

test('a person who follows the link is led to the front end', async () => {
  const { service, token } = await withToken();
  const { status, headers } = await verify(service, token, NAVIGATION);
  expect([status, headers.get('location')]).toEqual([302, 'http://app.test/email-verified']);
});

test('a wrong link leads a person to the front end, too, and says why', async () => {
  const { service } = await withToken();
  const { status, headers } = await verify(service, 'made-up', NAVIGATION);
  expect(status).toBe(302);
  expect(headers.get('location')).toBe(
    'http://app.test/email-verified?error=INVALID_VERIFICATION_TOKEN',
  );
});

test('a mail scanner that opens the link first does its owner no harm', async () => {
  const { service, token } = await withToken();
  const scanner = await verify(service, token);
  expect(scanner.headers.getSetCookie().join()).not.toContain('accessToken');
  const { headers } = await verify(service, token, NAVIGATION);
  expect(headers.get('location')).toBe('http://app.test/email-verified');
});

test('HEAD, which scanners and previews send, uses nothing up', async () => {
  const { service, ada, token } = await withToken();
  const url = `${service.url}/auth/verify-email?token=${token}`;
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  expect((await ada.client.get('/me')).body.isEmailVerified).toBe(false);
  expect((await verify(service, token)).status).toBe(200);
});

test('replay: a used token is refused', async () => {
  const { service, token } = await withToken();
  await verify(service, token);
  const { status, body } = await verify(service, token);
  expect([status, body.code]).toEqual([400, 'INVALID_VERIFICATION_TOKEN']);
});

test('attack: of 20 parallel uses of one token exactly one wins', async () => {
  const { service, token } = await withToken();
  const answers = await Promise.all(Array.from({ length: 20 }, () => verify(service, token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
});

test('the link works for 24 hours', async () => {
  const { service, token } = await withToken();
  service.advance(DAY + 1000);
  expect((await verify(service, token)).body.code).toBe('INVALID_VERIFICATION_TOKEN');
});

test('a new link voids the older one', async () => {
  const { service, ada, token } = await withToken();
  await ada.client.post('/send-verification-email');
  const newer = await mailedToken(service);
  expect((await verify(service, token)).status).toBe(400);
  expect((await verify(service, newer)).status).toBe(200);
});

test('attack: a link that was mailed to an earlier address proves nothing of the new one', async () => {
  const { service, ada, token } = await withToken();
  const { db } = service.services;
  await db
    .updateTable('users')
    .set({ email: 'eve@example.com' })
    .where('id', '=', ada.user.id)
    .execute();
  expect((await verify(service, token)).status).toBe(400);
  expect((await ada.client.get('/me')).body.isEmailVerified).toBe(false);
});

test('a verified address needs no mail', async () => {
  const { service, ada, token } = await withToken();
  await verify(service, token);
  const { status, body } = await ada.client.post('/send-verification-email');
  expect([status, body.code]).toEqual([400, 'ALREADY_VERIFIED']);
});

test('attack: the mail cannot be used to flood a mailbox', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const ada = await signInAs(service);
  expect((await ada.client.post('/send-verification-email')).status).toBe(200);
  const { status, body, headers } = await ada.client.post('/send-verification-email');
  expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(50);
});

test.each(['', 'x', '0'.repeat(64), '%00', 'é'.repeat(300), 'a'.repeat(9000)])(
  'the token %j is answered, not stumbled over',
  async (token) => {
    const service = await startTestService();
    const { status, body } = await verify(service, encodeURIComponent(token));
    expect([status, body.code]).toEqual([400, 'INVALID_VERIFICATION_TOKEN']);
  },
);

test('only signed-in users ask for the mail', async () => {
  const service = await startTestService();
  const { body } = await nativeClient(service).post('/send-verification-email');
  expect(body.code).toBe('INVALID_TOKEN');
});
