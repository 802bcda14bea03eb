import { expect, test } from 'vitest';
import { authenticatorCode, enrolTotp } from '../../../test/authenticator.js';
import { type Answer, nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  requestResetToken,
  resetPassword,
} from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const MINUTE = 60_000;

/** Somebody with a password and an authenticator app, behind a proxy. */
async function startProtected(start = startTestService) {
  const service = await start({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  const account = await createPasswordAccount(service);
  const app = await enrolTotp(await signInAs(service, { email: account.email }));
  service.advance(MINUTE);
  return { service, account, app };
}

/** Signs in with the password, then guesses codes; every sign-in from an address of its own. */
async function guess(
  { service, account }: Awaited<ReturnType<typeof startProtected>>,
  at: number,
  count: number,
) {
  const client = nativeClient(service);
  const from = { 'x-forwarded-for': `203.0.113.${at}` };
  const { body } = await client.post('/login', account, from);
  const { tempToken } = body;
  const answers: Answer[] = [];
  for (let nth = 0; nth < count; nth++) {
    answers.push(await client.post('/2fa/verify', { tempToken, totpCode: 'no code' }, from));
  }
  return { tempToken, codes: answers.map((answer) => answer.body.code) };
}

test('guessing: who knows the password cannot guess on with a new sign-in for every five codes', async () => {
  const world = await startProtected();
  const wrong = Array(5).fill('INVALID_TOTP_CODE');
  expect((await guess(world, 1, 5)).codes).toEqual(wrong);
  expect((await guess(world, 2, 5)).codes).toEqual(wrong);

  const third = await guess(world, 3, 1);
  expect(third.codes).toEqual(['RATE_LIMITED']);

  // Nor is a right code taken: the answer would tell it from a wrong one.
  const totpCode = authenticatorCode(world.app.secret);
  const { tempToken } = third;
  const right = await nativeClient(world.service).post('/2fa/verify', { tempToken, totpCode });
  expect([right.status, right.body.code]).toEqual([429, 'RATE_LIMITED']);
});

test('a right code starts the count anew, and the wait ends', async () => {
  const world = await startProtected(startTestService);
  const { service, app } = world;
  for (const minutes of [0, 20]) {
    service.advance(minutes * MINUTE);
    await guess(world, minutes, 5);
    const { tempToken } = await guess(world, minutes + 1, 4);
    const totpCode = authenticatorCode(app.secret);
    const { status } = await nativeClient(service).post('/2fa/verify', { tempToken, totpCode });
    expect(status).toBe(200);
  }
  await guess(world, 2, 5);
  await guess(world, 3, 5);
  expect((await guess(world, 4, 1)).codes).toEqual(['RATE_LIMITED']);
  service.advance(16 * MINUTE);
  expect((await guess(world, 5, 1)).codes).toEqual(['INVALID_TOTP_CODE']);
});

test('takeover: a reset leaves the app, also where it is the first proof of the address', async () => {
  const { service, account } = await startProtected();

  await resetPassword(service, await requestResetToken(service, account.email), 'new password');

  const login = { email: account.email, password: 'new password' };
  const { body } = await nativeClient(service).post('/login', login);
  expect(body.requiresTwoFactor).toBe(true);
  expect(body.available2faMethods).toContain('totp');
});
