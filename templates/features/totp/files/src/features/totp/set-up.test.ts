import { expect, test } from 'vitest';
import { authenticatorCode, enrolTotp } from '../../../test/authenticator.js';
import { nativeClient } from '../../../test/client.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const MINUTE = 60_000;

test('setting up shows the secret as text, as a URL and as a picture', async () => {
  const ada = await signInAs(await startTestService(), { email: 'ada@example.com' });
  const { status, body } = await ada.client.post('/2fa/setup');
  expect(status).toBe(200);
  expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(body.otpauthUrl).toContain('otpauth://totp/');
  expect(body.otpauthUrl).toContain(`secret=${body.secret}`);
  expect(body.qrCode).toMatch(/^data:image\/png;base64,/);
});

test('the first code confirms the app and brings ten recovery codes', async () => {
  const service = await startTestService();
  const ada = await signInAs(service, { email: 'ada@example.com' });
  expect((await ada.client.get('/me')).body.isTotpEnabled).toBe(false);
  const { recoveryCodes } = await enrolTotp(ada);
  expect(new Set(recoveryCodes).size).toBe(10);
  expect((await ada.client.get('/me')).body.isTotpEnabled).toBe(true);
  const [mail] = await service.mails();
  expect(mail).toMatchObject({ to: 'ada@example.com', subject: 'An authenticator app was set up' });
});

test('a new set-up that is not confirmed leaves the app in use', async () => {
  const service = await startTestService({ ACCESS_TOKEN_TTL: '1h' });
  const ada = await signInAs(service);
  const { secret } = await enrolTotp(ada);
  await ada.client.post('/2fa/setup');
  service.advance(16 * MINUTE);
  const { status } = await ada.client.post('/2fa/disable', { code: authenticatorCode(secret) });
  expect(status).toBe(200);
});

test('attack: a client cannot bring a secret of its own', async () => {
  const ada = await signInAs(await startTestService());
  await ada.client.post('/2fa/setup');
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const { status, body } = await ada.client.post('/2fa/verify-setup', {
    token: authenticatorCode(secret),
    secret,
  });
  expect([status, body.code]).toEqual([400, 'INVALID_TOTP_CODE']);
});

test('attack: the secret is not readable in the database', async () => {
  const service = await startTestService();
  const { secret } = await enrolTotp(await signInAs(service));
  const rows = await service.services.db.selectFrom('totp_secrets').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test('attack: a sealed secret moved to another account does not open there', async () => {
  const service = await startTestService();
  const ada = await signInAs(service);
  const eve = await signInAs(service);
  await enrolTotp(ada);
  const { secret } = await enrolTotp(eve);
  const { db } = service.services;
  const row = await db
    .selectFrom('totp_secrets')
    .select('secret')
    .where('user_id', '=', eve.user.id)
    .executeTakeFirstOrThrow();
  await db.updateTable('totp_secrets').set(row).where('user_id', '=', ada.user.id).execute();
  service.advance(MINUTE);
  const { status } = await ada.client.post('/2fa/disable', { code: authenticatorCode(secret) });
  expect(status).not.toBe(200);
});

test('setting up needs a fresh sign-in, or a proof', async () => {
  const service = await startTestService({ ACCESS_TOKEN_TTL: '1h' });
  const ada = await signInAs(service);
  const { secret } = await enrolTotp(ada);
  service.advance(16 * MINUTE);
  const stale = await ada.client.post('/2fa/recovery-codes');
  expect([stale.status, stale.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  const wrong = await ada.client.post('/2fa/recovery-codes', { code: '000000' });
  expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_TOTP_CODE']);
  const proved = await ada.client.post('/2fa/recovery-codes', { code: authenticatorCode(secret) });
  expect(proved.body.recoveryCodes).toHaveLength(10);
  const again = await ada.client.post('/2fa/recovery-codes', { code: authenticatorCode(secret) });
  expect(again.body.code, 'a proof is used up').toBe('INVALID_TOTP_CODE');
});

test('attack: five wrong codes as a proof, also with RATE_LIMIT=off, and no more is looked at', async () => {
  const ada = await signInAs(await startTestService({ RATE_LIMIT: 'off' }));
  await enrolTotp(ada);
  const codes: string[] = [];
  for (let guess = 0; guess < 6; guess += 1) {
    codes.push((await ada.client.post('/2fa/recovery-codes', { code: '000000' })).body.code);
  }
  expect(codes).toEqual([...Array(5).fill('INVALID_TOTP_CODE'), 'RATE_LIMITED']);
});

test('removing it tells the owner, and the profile says so', async () => {
  const service = await startTestService();
  const ada = await signInAs(service);
  await enrolTotp(ada);
  await service.idle();
  expect((await ada.client.post('/2fa/disable')).body).toEqual({ success: true });
  expect((await ada.client.get('/me')).body.isTotpEnabled).toBe(false);
  expect((await service.mails()).at(-1)?.subject).toBe('Your authenticator app was removed');
});

test('what the policy demands cannot be removed', async () => {
  const service = await startTestService();
  const ada = await signInAs(service);
  await enrolTotp(ada);
  await service.services.settings.set('require2FA', true);
  const { status, body } = await ada.client.post('/2fa/disable');
  expect([status, body.code]).toEqual([403, '2FA_REQUIRED']);
});

test('race: of parallel renewals only the codes of one are good', async () => {
  const service = await startTestService();
  const ada = await signInAs(service);
  await enrolTotp(ada);
  const renewals = await Promise.all(
    Array.from({ length: 8 }, () => ada.client.post('/2fa/recovery-codes')),
  );
  expect(renewals.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(await service.services.totp.countRecoveryCodes(ada.user.id)).toBe(10);
});

test('recovery codes are for those who have an app', async () => {
  const ada = await signInAs(await startTestService());
  expect((await ada.client.post('/2fa/recovery-codes')).status).toBe(400);
});

test.each([
  ['a number', { token: 123456, secret: 'A' }],
  ['nothing', {}],
  ['something huge', { token: '1'.repeat(5000), secret: 'A' }],
  ['a NUL', { token: '12345\0', secret: 'A' }],
])('confirming with %s is 400', async (_name, body) => {
  const ada = await signInAs(await startTestService());
  await ada.client.post('/2fa/setup');
  const answer = await ada.client.post('/2fa/verify-setup', body);
  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
});

test('all of it is for signed-in users', async () => {
  const nobody = nativeClient(await startTestService());
  for (const path of ['/2fa/setup', '/2fa/verify-setup', '/2fa/disable', '/2fa/recovery-codes']) {
    expect((await nobody.post(path)).body.code).toBe('INVALID_TOKEN');
  }
});
