import { expect, test } from 'vitest';
import { authenticatorCode, enrolTotp } from '../../../test/authenticator.js';
import { nativeClient } from '../../../test/client.js';
import { passFirstFactor } from '../../../test/factor.js';
import { startTestService, type TestEnvironment } from '../../../test/service.js';
import { signInAs, someRequest } from '../../../test/sign-in-as.js';
import { HttpError } from '../../http/errors.js';
import { proveEmail } from '../../session/credentials.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import { totp } from './feature.js';

const MINUTE = 60_000;

async function start(variables: TestEnvironment = {}) {
  const service = await startTestService(variables);
  return { service, ada: await signInAs(service, { email: 'ada@example.com' }) };
}

/** A user without a second factor, of whom one is demanded, and a client with the token that they get. */
async function sentToSetUp() {
  const { service, ada } = await start();
  await service.services.settings.set('require2FA', true);
  const error = await passFirstFactor(service, ada.user.id).catch((reason: unknown) => reason);
  if (!(error instanceof HttpError)) throw new Error('It was not refused.');
  const client = nativeClient(service, String(error.extra.fields?.tempToken));
  return { service, ada, error, client };
}

test('an app is set up with a secret, as text, URL and picture, and confirmed by its first code', async () => {
  const { service, ada } = await start();
  const { body } = await ada.client.post('/2fa/setup');
  expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(body.otpauthUrl).toMatch(/^otpauth:\/\/totp\//);
  expect(body.otpauthUrl).toContain(`issuer=${service.config.SERVICE_NAME}`);
  expect(body.otpauthUrl).toContain(`secret=${body.secret}`);
  expect(body.qrCode).toMatch(/^data:image\/png;base64,/);
  expect((await ada.client.get('/me')).body.isTotpEnabled).toBe(false);

  const { secret, recoveryCodes } = await enrolTotp(ada);

  expect(new Set(recoveryCodes).size).toBe(10);
  expect((await ada.client.get('/me')).body.isTotpEnabled).toBe(true);
  const [mail] = await service.mails();
  expect(mail).toMatchObject({ to: 'ada@example.com', name: 'totpEnabled' });
  const rows = await service.services.db.selectFrom('totp_secrets').selectAll().execute();
  expect(JSON.stringify(rows), 'a stolen database opens nothing').not.toContain(secret);
});

test('removing the app tells the owner; what the policy demands cannot be removed', async () => {
  const { service, ada } = await start();
  await enrolTotp(ada);
  await service.services.settings.set('require2FA', true);
  const demanded = await ada.client.post('/2fa/disable');
  expect([demanded.status, demanded.body.code]).toEqual([403, '2FA_REQUIRED']);

  await service.services.settings.set('require2FA', null);
  await service.idle();
  expect((await ada.client.post('/2fa/disable')).body).toEqual({ success: true });
  expect((await ada.client.get('/me')).body.isTotpEnabled).toBe(false);
  expect((await service.mails()).at(-1)?.name).toBe('totpDisabled');
  expect((await ada.client.post('/2fa/recovery-codes')).status).toBe(400);
});

test('a new set-up that is not confirmed leaves the app in use', async () => {
  const { service, ada } = await start({ ACCESS_TOKEN_TTL: '1h' });
  const { secret } = await enrolTotp(ada);
  await ada.client.post('/2fa/setup');
  service.advance(16 * MINUTE);
  const { status } = await ada.client.post('/2fa/disable', { code: authenticatorCode(secret) });
  expect(status).toBe(200);
});

test('attack: a client cannot bring a secret of its own', async () => {
  const { ada } = await start();
  await ada.client.post('/2fa/setup');
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const confirmation = { token: authenticatorCode(secret), secret };
  const { status, body } = await ada.client.post('/2fa/verify-setup', confirmation);
  expect([status, body.code]).toEqual([400, 'INVALID_TOTP_CODE']);
});

test('attack: a sealed secret moved to another account does not open there', async () => {
  const { service, ada } = await start();
  const eve = await signInAs(service);
  await enrolTotp(ada);
  const { secret } = await enrolTotp(eve);
  const { db } = service.services;
  const ofEve = db.selectFrom('totp_secrets').select('secret').where('user_id', '=', eve.user.id);
  const row = await ofEve.executeTakeFirstOrThrow();
  await db.updateTable('totp_secrets').set(row).where('user_id', '=', ada.user.id).execute();
  service.advance(MINUTE);
  const { status } = await ada.client.post('/2fa/disable', { code: authenticatorCode(secret) });
  expect(status).not.toBe(200);
});

test('all of it takes a fresh sign-in or a code, which is used up', async () => {
  const { service, ada } = await start({ ACCESS_TOKEN_TTL: '1h' });
  const { secret } = await enrolTotp(ada);
  const nobody = nativeClient(service);
  for (const path of ['/2fa/setup', '/2fa/verify-setup', '/2fa/disable', '/2fa/recovery-codes']) {
    expect((await nobody.post(path)).body.code).toBe('INVALID_TOKEN');
  }
  service.advance(16 * MINUTE);
  const renew = (code?: string) => ada.client.post('/2fa/recovery-codes', { code });
  const stale = await renew();
  expect([stale.status, stale.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  const wrong = await renew('000000');
  expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_TOTP_CODE']);
  expect((await renew(authenticatorCode(secret))).body.recoveryCodes).toHaveLength(10);
  expect((await renew(authenticatorCode(secret))).body.code).toBe('INVALID_TOTP_CODE');
});

test('guessing: past the limit of wrong codes no more is looked at, also with RATE_LIMIT=off', async () => {
  const { ada } = await start({ RATE_LIMIT: 'off' });
  await enrolTotp(ada);
  const { points } = totp.limits.totpCodesOfAccount;
  const codes: string[] = [];
  for (let guess = 0; guess <= points; guess += 1) {
    codes.push((await ada.client.post('/2fa/recovery-codes', { code: '000000' })).body.code);
  }
  expect(codes).toEqual([...Array(points).fill('INVALID_TOTP_CODE'), 'RATE_LIMITED']);
});

test('race: of parallel renewals only the codes of one are good', async () => {
  const { service, ada } = await start();
  await enrolTotp(ada);
  const renewals = await Promise.all(
    Array.from({ length: 8 }, () => ada.client.post('/2fa/recovery-codes')),
  );
  expect(renewals.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(await service.services.totp.countRecoveryCodes(ada.user.id)).toBe(10);
});

test('a confirmation of a wrong shape is a mistake of the request', async () => {
  const { ada } = await start();
  for (const token of [undefined, 123456, '1'.repeat(5000), '12345\0']) {
    const { status, body } = await ada.client.post('/2fa/verify-setup', { token, secret: 'A' });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  }
});

test('whoever must have a second factor and has none can set one up, and then signs in by it', async () => {
  const { service, ada, error, client } = await sentToSetUp();
  expect(error.code).toBe('2FA_SETUP_REQUIRED');
  expect(error.extra.fields).toMatchObject({ requires2FASetup: true });

  expect((await enrolTotp({ ...ada, client })).recoveryCodes).toHaveLength(10);

  const challenge = await passFirstFactor(service, ada.user.id);
  expect(challenge).toMatchObject({ requiresTwoFactor: true, available2faMethods: ['totp'] });
});

test('attack: the set-up token opens nothing else', async () => {
  const { client } = await sentToSetUp();
  const answers = [
    await client.get('/me'),
    await client.get('/sessions'),
    await client.post('/2fa/disable'),
    await client.post('/2fa/recovery-codes'),
  ];
  expect(answers.map(({ body }) => body.code)).toEqual(Array(4).fill('INVALID_TOKEN'));
});

test('attack: the set-up token does not replace an app that was set up meanwhile', async () => {
  const { ada, client } = await sentToSetUp();
  await enrolTotp(ada);
  expect((await client.post('/2fa/setup')).body.code).toBe('INVALID_TOKEN');
});

test('attack: the set-up token is void once the address is proven, or all sessions have ended', async () => {
  const hijacked = await sentToSetUp();
  await proveEmail(hijacked.service.services, someRequest(), hijacked.ada.user);
  expect((await hijacked.client.post('/2fa/setup')).body.code).toBe('INVALID_TOKEN');

  const { service, ada, client } = await sentToSetUp();
  await endSessionsOfUser(service.services, { request: someRequest() }, ada.user.id, 'revoked');
  expect((await client.post('/2fa/setup')).body.code).toBe('INVALID_TOKEN');
});

test('without the demand nobody is asked', async () => {
  const { service, ada } = await sentToSetUp();
  await service.services.settings.set('require2FA', null);
  expect(await passFirstFactor(service, ada.user.id)).toHaveProperty('accessToken');
});
