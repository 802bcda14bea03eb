import { expect, test } from 'vitest';
import { openChallenge } from '../src/features/second-factor/challenge.js';
import { startWithAdmin } from './administrator.js';
import { nativeClient } from './client.js';
import { createPasswordAccount } from './flows/password.js';
import {
  type Phones,
  requestTextedCode,
  signInWithPhone,
  startTextingService,
  verifyPhone,
} from './flows/sms.js';
import { enrolTotp } from './flows/totp.js';
import { signInAs } from './sign-in-as.js';

const MINUTE = 60_000;

/** A user with a verified phone who has completed the first step of a sign-in. */
async function atSecondStep(phones: Phones, method = 'local') {
  const person = await signInWithPhone(phones);
  const signIn = { userId: person.user.id, method, confirm: async () => {} };
  return { ...person, tempToken: await openChallenge(phones.service.services, signIn) };
}

function send({ service }: Phones, tempToken: unknown) {
  return nativeClient(service).post('/sms/send', { mode: '2fa', tempToken });
}

async function requestCode(phones: Phones, tempToken: string): Promise<string> {
  expect((await send(phones, tempToken)).body).toEqual({ success: true });
  return phones.lastCode();
}

function verify({ service }: Phones, tempToken: unknown, code: unknown) {
  return nativeClient(service).post('/sms/verify', { mode: '2fa', tempToken, code });
}

test('after a first step by a texted code, or without a verified phone, no code finishes the sign-in', async () => {
  const phones = await startTextingService();
  const { tempToken } = await atSecondStep(phones, 'sms');
  const { user, client } = await signInAs(phones.service);
  await client.post('/add-phone', { phoneNumber: '+4915112345678' });
  const code = await phones.lastCode();
  const challenge = { userId: user.id, method: 'local', confirm: async () => {} };
  const unverified = await openChallenge(phones.service.services, challenge);
  const count = phones.sink.requests.length;

  for (const token of [tempToken, unverified]) {
    for (const answer of [await send(phones, token), await verify(phones, token, code)]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'METHOD_NOT_AVAILABLE']);
    }
  }
  expect(phones.sink.requests).toHaveLength(count);
});

test.each(['add', 'remove'])('to %s a phone ends the other sessions', async (act) => {
  const phones = await startTextingService();
  const account = await createPasswordAccount(phones.service);
  const [ada, thief] = [
    await signInAs(phones.service, { email: account.email }),
    await signInAs(phones.service, { email: account.email }),
  ];
  if (act === 'add') await verifyPhone(phones, ada);
  else {
    await phones.service.services.sms.saveNumber(ada.user.id, '+4915112345678');
    expect((await ada.client.post('/add-phone', { phoneNumber: null })).status).toBe(200);
  }
  expect((await thief.client.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect((await ada.client.get('/me')).status).toBe(200);
});

test('guessing: five wrong codes end the sign-in, a new code does not revive it, and time ends it too', async () => {
  const phones = await startTextingService();
  const { tempToken } = await atSecondStep(phones);
  await requestCode(phones, tempToken);
  const wrong = await phones.wrongCode();
  for (let guess = 0; guess < 3; guess++) await verify(phones, tempToken, wrong);
  const code = await requestCode(phones, tempToken);
  const stillWrong = await phones.wrongCode();
  for (let guess = 0; guess < 2; guess++) await verify(phones, tempToken, stillWrong);
  expect((await verify(phones, tempToken, code)).body.code).toBe('INVALID_TEMP_TOKEN');

  const late = await atSecondStep(phones);
  const ofLate = await requestCode(phones, late.tempToken);
  phones.service.advance(5 * MINUTE + 1000);
  expect((await verify(phones, late.tempToken, ofLate)).body.code).toBe('INVALID_TEMP_TOKEN');
});

test('a texted code finishes the sign-in of its temp token', async () => {
  const phones = await startTextingService();
  const { user, tempToken, accessToken } = await atSecondStep(phones);
  const code = await requestCode(phones, tempToken);

  for (const wrong of [undefined, '', 'nonsense', accessToken, `${tempToken}x`]) {
    const expected = wrong ? 'INVALID_TEMP_TOKEN' : 'TEMP_TOKEN_REQUIRED';
    for (const answer of [await send(phones, wrong), await verify(phones, wrong, code)]) {
      expect([answer.status, answer.body.code]).toEqual([400, expected]);
    }
  }

  const { body } = await verify(phones, tempToken, code);
  expect((await nativeClient(phones.service, body.accessToken).get('/me')).body.sub).toBe(user.id);
});

test('a sign-in that began with the old number ends once a new one is verified', async () => {
  const phones = await startTextingService();
  const ada = await atSecondStep(phones, 'sms');

  await verifyPhone(phones, ada);

  expect((await send(phones, ada.tempToken)).body.code).toBe('INVALID_TEMP_TOKEN');
});

test('attack: a code that signs in, or of another user or sign-in, is refused', async () => {
  const phones = await startTextingService();
  const ada = await atSecondStep(phones);
  const mallory = await atSecondStep(phones);
  const challenge = { userId: ada.user.id, method: 'local', confirm: async () => {} };
  const second = await openChallenge(phones.service.services, challenge);
  const ofLogin = await requestTextedCode(phones, ada.user.email);
  const ofMallory = await requestCode(phones, mallory.tempToken);
  const ofAda = await requestCode(phones, ada.tempToken);

  for (const [tempToken, code] of [
    [ada.tempToken, ofLogin],
    [ada.tempToken, ofMallory],
    [mallory.tempToken, ofAda],
    [second, ofAda],
  ]) {
    const { status, body } = await verify(phones, tempToken, code);
    expect([status, body.code]).toEqual([400, 'INVALID_SMS_CODE']);
  }
  const login = { email: ada.user.email, code: ofAda, tempToken: ada.tempToken };
  const asFirst = await nativeClient(phones.service).post('/sms/verify', login);
  expect(asFirst.body.code).toBe('INVALID_SMS_CODE');
  expect((await verify(phones, ada.tempToken, ofAda)).status).toBe(200);
});

test('a reset of second factors removes the phone of whoever has another way in, tells only them, and ends all sessions', async () => {
  const { service, client } = await startWithAdmin();
  const ada = await createPasswordAccount(service, { email: 'ada@example.com' });
  const { user: bob, client: ofBob } = await signInAs(service, { isEmailProven: false });
  for (const { id } of [ada, bob]) await service.services.sms.saveNumber(id, '+4915112345678');
  expect((await client.get(`/users/${ada.id}/factors`)).body.factors).toEqual(['sms']);
  for (const { id } of [ada, bob]) await client.post(`/users/${id}/factors/reset`);
  expect(await service.services.sms.findNumber(ada.id)).toBe(undefined);
  const told = (await service.mails()).filter(({ name }) => name === 'factorsReset');
  expect(told.map(({ to }) => to)).toEqual([ada.email]);
  expect((await ofBob.get('/me')).body.code).toBe('SESSION_REVOKED');
});

test('of the second factors, the strongest is offered first', async () => {
  const phones = await startTextingService();
  const account = await createPasswordAccount(phones.service);
  const person = await signInAs(phones.service, account);
  await verifyPhone(phones, person);
  await enrolTotp(person);
  const { body } = await nativeClient(phones.service).post('/login', account);
  expect(body.available2faMethods).toEqual(['totp', 'sms']);
});
