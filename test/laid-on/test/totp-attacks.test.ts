import { expect, test, vi } from 'vitest';
import { totp } from '../src/features/totp/feature.js';
import { endSessionsOfUser } from '../src/session/end-session.js';
import { addRole, signInAtAdmin, startWithAdmin } from './administrator.js';
import { nativeClient } from './client.js';
import { passFirstFactor, sentToSetUp } from './factor.js';
import { linkTokenIn } from './flows/magic-link.js';
import { authenticatorCode, challenged, enrolTotp } from './flows/totp.js';
import { runCommand } from './process.js';
import { startTestService, type TestService } from './service.js';
import { type SignedIn, signInAs, someRequest } from './sign-in-as.js';
import { start, withApp } from './with-app.js';

const MINUTE = 60_000;

test('a strong factor of a feature of your own is asked for too, but not after a sign-in by it', async () => {
  const { service, ada } = await start();
  const factor = { name: 'passkey', isStrong: true, isAvailable: async () => true };
  const features = [...service.services.features, { name: 'passkeys', factor }];
  const own = { ...service, services: { ...service.services, features } };
  const asked = await passFirstFactor(own, ada.user.id);
  expect(asked).toMatchObject({ requiresTwoFactor: true });
  expect((asked.available2faMethods as string[])[0]).toBe('passkey');
  expect(await passFirstFactor(own, ada.user.id, 'passkey')).toHaveProperty('accessToken');
});

test('somebody who lost app and codes gets in by the first factor again after `second-factors reset`', async () => {
  const { service, ada } = await start();
  await enrolTotp(ada);

  const reset = await runCommand(service, 'second-factors', ['reset', 'ADA@example.com']);

  expect(reset).toMatchObject({ code: 0, stderr: '' });
  expect((await ada.client.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect((await service.mails()).at(-1)).toMatchObject({
    to: ada.user.email,
    name: 'factorsReset',
  });
  expect(await passFirstFactor(service, ada.user.id)).toHaveProperty('accessToken');
});

test('`second-factors reset` for an account without a second factor changes nothing and mails nobody', async () => {
  const { service, ada } = await start();
  const mailed = (await service.mails()).length;

  const reset = await runCommand(service, 'second-factors', ['reset', ada.user.email]);

  expect(reset).toMatchObject({ code: 1, stderr: `${ada.user.email} has no second factor.\n` });
  expect((await ada.client.get('/me')).status).toBe(200);
  expect(await service.mails()).toHaveLength(mailed);
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

test('guessing: past the limit of wrong codes no more are checked, also with RATE_LIMIT=off', async () => {
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

test('without the requirement nobody is asked', async () => {
  const { service, ada } = await sentToSetUp();
  await service.services.settings.set('require2FA', null);
  expect(await passFirstFactor(service, ada.user.id)).toHaveProperty('accessToken');
});

/** The claims of the access token that a session has after its next refresh. */
async function refreshedClaims({
  client,
  refreshToken,
}: Pick<SignedIn, 'client' | 'refreshToken'>) {
  const { body } = await client.post('/refresh', { refreshToken });
  return JSON.parse(Buffer.from(body.accessToken.split('.')[1], 'base64url').toString());
}

test('tokens say that the app was used: by its set-up, by a code, or by a recovery code', async () => {
  const { service, owner, secret, recoveryCodes } = await withApp();
  expect((await refreshedClaims(owner)).amr).toEqual([expect.any(String), 'otp', 'mfa']);
  for (const totpCode of [authenticatorCode(secret), recoveryCodes[0]]) {
    const { tempToken } = await passFirstFactor(service, owner.user.id);
    const { body } = await nativeClient(service).post('/2fa/verify', { tempToken, totpCode });
    const client = nativeClient(service, body.accessToken);
    expect((await refreshedClaims({ ...body, client })).amr).toEqual([
      expect.any(String),
      'otp',
      'mfa',
    ]);
    expect((await client.post('/2fa/setup')).status).toBe(200);
  }
});

test.each([-2, -1, 1, 2])('a code %i steps away is taken if it is next to now', async (steps) => {
  const { secret, tempToken, verify } = await challenged();
  // In the middle of a step: no new one may begin between generating the code and checking it.
  vi.spyOn(Date, 'now').mockReturnValue((Math.floor(Date.now() / 30_000) + 0.5) * 30_000);
  const { body } = await verify(tempToken, authenticatorCode(secret, steps));
  expect(body.code).toBe(Math.abs(steps) === 1 ? undefined : 'INVALID_TOTP_CODE');
});

test("attack: another user's code does not answer the challenge", async () => {
  const { service, begin, verify } = await challenged();
  const eve = await enrolTotp(await signInAs(service));
  service.advance(MINUTE);
  const { body } = await verify(await begin(), authenticatorCode(eve.secret));
  expect(body.code).toBe('INVALID_TOTP_CODE');
});

const KEY = 'the key that sealed the secret first';

const NEW_KEY = 'the key that came after the first one';

/** The service again, on the same database, with another DATA_KEY. */
function restartWith({ config }: TestService, DATA_KEY: string): Promise<TestService> {
  return startTestService({ DATABASE_URL: config.DATABASE_URL, DATA_KEY });
}

test('a secret that an older key opens is resealed when it is used, and needs that key no longer', async () => {
  const { service, secret, tempToken, begin } = await challenged({ DATA_KEY: KEY });
  const during = nativeClient(await restartWith(service, `${NEW_KEY},${KEY}`));
  const code = { tempToken, totpCode: authenticatorCode(secret) };
  expect((await during.post('/2fa/verify', code)).status).toBe(200);
  service.advance(MINUTE);
  const after = nativeClient(await restartWith(service, NEW_KEY));
  const next = { tempToken: await begin(), totpCode: authenticatorCode(secret) };
  expect((await after.post('/2fa/verify', next)).status).toBe(200);
});

test('a recovery code has 128 bits and is typed in any case, with hyphens, blanks or neither', async () => {
  const { ada, tempToken, begin, verify } = await challenged();
  const { body } = await ada.client.post('/2fa/recovery-codes');
  const [first, second, third] = body.recoveryCodes;
  expect(first).toMatch(/^([0-9a-f]{4}-){7}[0-9a-f]{4}$/);
  expect((await verify(tempToken, first.toUpperCase())).status).toBe(200);
  expect((await verify(await begin(), second.replaceAll('-', ''))).status).toBe(200);
  expect((await verify(await begin(), ` ${third.replaceAll('-', ' ')}`)).status).toBe(200);
});

test('a user who lost the app is let in again, signed out everywhere, and notified', async () => {
  const service = await startTestService();
  const ada = await signInAs(service);
  await enrolTotp(ada);
  const { client } = await signInAtAdmin(service);
  const { status, body } = await client.post(`/users/${ada.user.id}/factors/reset`);
  expect([status, body]).toEqual([200, { success: true }]);
  expect((await ada.client.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect((await service.services.users.findAccount(ada.user.id))?.isTotpEnabled).toBe(false);
  expect(await service.services.totp.countRecoveryCodes(ada.user.id)).toBe(0);
  const told = (await service.mails()).filter(({ to }) => to === ada.user.email);
  expect(told.map(({ name }) => name)).toContain('factorsReset');
  const disabled = (await service.events()).filter(({ event }) => event.endsWith('2fa.disabled'));
  expect(disabled).toMatchObject([{ metadata: { userId: ada.user.id }, data: { method: 'totp' } }]);
});

test('attack: permission to write users does not remove the factor of an administrator', async () => {
  const { service, user: root } = await startWithAdmin();
  await addRole(service, 'helpdesk', ['users:write']);
  const { client } = await signInAtAdmin(service, { role: 'helpdesk' });
  const { status, body } = await client.post(`/users/${root.id}/factors/reset`);
  expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
});

test('mailbox thief: with an app set up no mailed link is a second step, not even one that was mailed before', async () => {
  const service = await startTestService();
  await service.services.settings.set('require2FA', true);
  const ada = await signInAs(service);
  const client = nativeClient(service);
  const send = (tempToken: unknown) => client.post('/magic-link/send', { mode: '2fa', tempToken });
  const before = await passFirstFactor(service, ada.user.id);
  expect(before.available2faMethods).toEqual(['magic-link']);
  await send(before.tempToken);
  const token = linkTokenIn((await service.mails()).at(-1));

  await enrolTotp(ada);

  const after = await passFirstFactor(service, ada.user.id);
  expect(after.available2faMethods).toEqual(['totp']);
  const { tempToken } = after;
  const answers = [
    await send(tempToken),
    await client.post('/magic-link/verify', { mode: '2fa', tempToken, token }),
  ];
  for (const { status, body } of answers) {
    expect([status, body.code]).toEqual([400, 'METHOD_NOT_AVAILABLE']);
  }
  const ofBefore = { token, tempToken: before.tempToken };
  expect((await client.post('/magic-link/verify', ofBefore)).body.code).toBe('INVALID_TEMP_TOKEN');
});

test('a right code is asked for once in REAUTH_WINDOW', async () => {
  const { service, owner, secret } = await withApp();
  service.stopClock(15 * MINUTE);
  const renew = (body = {}) => owner.client.post('/2fa/recovery-codes', body);
  expect((await renew()).body.code).toBe('REAUTHENTICATION_REQUIRED');
  expect((await renew({ code: authenticatorCode(secret) })).status).toBe(200);
  service.stopClock(15 * MINUTE - 1000);
  expect((await renew()).status).toBe(200);
  service.stopClock(2000);
  expect((await renew()).body.code).toBe('REAUTHENTICATION_REQUIRED');
});

test('race: all sessions end while the second step is being checked: it opens none', async () => {
  const { service, ada, tempToken, verify } = await challenged();
  const { limiter } = service.services;
  vi.spyOn(limiter, 'reset').mockImplementationOnce(() =>
    endSessionsOfUser(service.services, { request: someRequest() }, ada.user.id, 'revoked'),
  );
  const { status, body } = await verify(tempToken);
  expect([status, body.code]).toEqual([400, 'INVALID_TEMP_TOKEN']);
});

test('race: no recovery codes are made for an app that is removed meanwhile', async () => {
  const { service, owner } = await withApp();
  const { transaction, totp } = service.services;
  vi.spyOn(service.services, 'transaction').mockImplementationOnce(async (work) => {
    await totp.remove(owner.user.id);
    return transaction(work);
  });
  const { status, body } = await owner.client.post('/2fa/recovery-codes');
  expect([status, body.code]).toEqual([400, 'METHOD_NOT_AVAILABLE']);
});

test('new recovery codes void the old ones', async () => {
  const { ada, recoveryCode, tempToken, verify } = await challenged();
  await ada.client.post('/2fa/recovery-codes');
  expect((await verify(tempToken, recoveryCode)).body.code).toBe('INVALID_TOTP_CODE');
});
