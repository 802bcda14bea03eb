import { expect, test } from 'vitest';
import { secondFactor } from '../../src/features/second-factor/feature.js';
import { nativeClient } from '../client.js';
import { createPasswordAccount, requestResetToken, resetPassword } from '../flows/password.js';
import { authenticatorCode, enrolTotp } from '../flows/totp.js';
import { startTestService } from '../service.js';
import { signInAs } from '../sign-in-as.js';

const MINUTE = 60_000;

/** A user with a password and an authenticator app. Guesses at codes are counted although RATE_LIMIT is off. */
async function startProtected() {
  const service = await startTestService({ RATE_LIMIT: 'off' });
  const account = await createPasswordAccount(service);
  const { secret } = await enrolTotp(await signInAs(service, { email: account.email }));
  service.advance(MINUTE);
  return { service, account, secret };
}

test('F-09 CVE-2025-10908, CVE-2026-9798 -16103 class refused: signing in again with a stolen password gives no more guesses at the code', async () => {
  const { service, account, secret } = await startProtected();
  const { points } = secondFactor.limits.secondStepsOfAccount;
  const verify = async (totpCode: string) => {
    const client = nativeClient(service);
    const { tempToken } = (await client.post('/login', account)).body;
    return (await client.post('/2fa/verify', { tempToken, totpCode })).body.code;
  };
  for (let nth = 0; nth < points; nth++) {
    expect(await verify('no code')).toBe('INVALID_TOTP_CODE');
  }
  // A correct code is refused too: the response would otherwise tell it from a wrong one.
  expect(await verify('no code')).toBe('RATE_LIMITED');
  expect(await verify(authenticatorCode(secret))).toBe('RATE_LIMITED');
});

test('F-09 password thief: the password and a session do not suffice to turn the app off', async () => {
  const { service, account, secret } = await startProtected();
  const thief = await signInAs(service, { email: account.email });
  const disable = (proof: object) => thief.client.post('/2fa/disable', proof);

  const guessed = await disable({ currentPassword: 'a guess' });
  expect([guessed.status, guessed.body.code]).toEqual([400, 'INVALID_CURRENT_PASSWORD']);
  for (const currentPassword of ['', account.password]) {
    const { status, body } = await disable({ currentPassword });
    expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  }
  const both = { currentPassword: account.password, code: authenticatorCode(secret) };
  expect((await disable(both)).status).toBe(200);
});

test('F-09 takeover: a reset leaves the app, also where it is the first proof of the address', async () => {
  const { service, account } = await startProtected();

  await resetPassword(service, await requestResetToken(service, account.email), 'new password');

  const login = { email: account.email, password: 'new password' };
  const { body } = await nativeClient(service).post('/login', login);
  expect(body.requiresTwoFactor).toBe(true);
  expect(body.available2faMethods).toContain('totp');
});
