import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import {
  addPhone,
  type Phones,
  requestTextedCode,
  sendCode,
  signInWithPhone,
  startTextingService,
  verifyCode,
  withCode,
} from '../../../test/flows/sms.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { sms } from './feature.js';

const invalidCode = { error: 'This code is wrong or no longer valid.', code: 'INVALID_SMS_CODE' };

/** A user with a valid code, one with a phone, one without a phone, and nobody. */
async function fourPeople(phones: Phones): Promise<string[]> {
  const withPhone = (await signInWithPhone(phones)).user.email;
  const without = (await signInAs(phones.service)).user.email;
  const withLivingCode = (await signInWithPhone(phones)).user.email;
  await requestTextedCode(phones, withLivingCode);
  return [withLivingCode, withPhone, without, 'nobody@example.com'];
}

const MINUTE = 60_000;

const ADA = '+4915112345678';

test('a texted code signs in, by email or by user id, as `sms`', async () => {
  const phones = await startTextingService();
  const { user, phoneNumber } = await signInWithPhone(phones, { email: 'ada@example.com' });

  for (const who of [{ email: ' ＡDA@Example.com' }, { userId: user.id }]) {
    expect((await sendCode(phones, who)).body).toEqual({ success: true });
    const code = ` ${await phones.lastCode()} `;
    expect(phones.sink.texts().at(-1)?.to).toBe(phoneNumber);

    const { status, body, setCookies } = await verifyCode(phones, { ...who, code });
    expect([status, setCookies]).toEqual([200, []]);
    const me = await nativeClient(phones.service, body.accessToken).get('/me');
    expect(me.body).toMatchObject({ sub: user.id, isEmailVerified: true });
    expect((await verifyCode(phones, { ...who, code })).body, 'replay').toEqual(invalidCode);
  }
  expect(await phones.service.events()).toContainEqual(
    expect.objectContaining({ event: 'identity.auth.login.success', data: { method: 'sms' } }),
  );
});

test('guessing: after too many wrong codes, parallel or in sequence, the right one is void; limits off or on', async () => {
  const { points } = sms.limits.guessesOfCode;
  for (const RATE_LIMIT of ['on', 'off']) {
    const phones = await startTextingService({ RATE_LIMIT });
    const { email } = (await signInWithPhone(phones)).user;
    const code = await requestTextedCode(phones, email);
    const wrong = { email, code: await phones.wrongCode() };

    await Promise.all(Array.from({ length: points - 2 }, () => verifyCode(phones, wrong)));
    for (let guess = 0; guess < 2; guess++) await verifyCode(phones, wrong);

    expect((await verifyCode(phones, { email, code })).body).toEqual(invalidCode);
  }
});

test('attack: a code of another account, or one that verifies a phone, does not sign in', async () => {
  const { phones, ada, email, code } = await withCode();
  const mallory = (await signInWithPhone(phones)).user;
  const ofMallory = await requestTextedCode(phones, mallory.email);
  await ada.client.post('/add-phone', { phoneNumber: '+4915112345678' });
  const ofPhone = await phones.lastCode();

  for (const other of [ofMallory, ofPhone]) {
    expect((await verifyCode(phones, { email, code: other })).body).toEqual(invalidCode);
  }
  expect((await ada.client.post('/verify-phone', { code })).body).toEqual(invalidCode);
});

test('enumeration: no answer reveals who has an account, or a phone', async () => {
  const phones = await startTextingService();
  const people = await fourPeople(phones);
  const wrong = await phones.wrongCode();
  for (const [path, status] of [
    ['/sms/send', 200],
    ['/sms/verify', 400],
  ] as const) {
    const answers = await Promise.all(
      people.map((email) => nativeClient(phones.service).post(path, { email, code: wrong })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(4).fill(status));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => [...headers.keys()].join())).size).toBe(1);
  }
});

test('a phone is added with the code that is texted to it', async () => {
  const phones = await startTextingService({ APP_URL: 'https://www.example.com:8443/app' });
  const ada = await signInAs(phones.service);
  const { sms } = phones.service.services;

  const code = await addPhone(phones, ada, '+49 1511 234 56 78');
  const text = `${code} is your code for www.example.com. Do not share it.\n\n@www.example.com #${code}`;
  expect(phones.sink.texts()).toEqual([{ to: ADA, text }]);
  expect(await sms.findNumber(ada.user.id)).toBeUndefined();

  expect((await ada.client.post('/verify-phone', { code })).body).toEqual({ success: true });
  expect(await sms.findNumber(ada.user.id)).toBe(ADA);
});

test('a number that is not verified takes no codes to sign in with', async () => {
  const phones = await startTextingService();
  const ada = await signInAs(phones.service);
  const code = await addPhone(phones, ada, ADA);

  await ada.client.post('/sms/send', { email: ada.user.email });
  await phones.service.idle();
  expect(phones.sink.requests).toHaveLength(1);
  const login = await ada.client.post('/sms/verify', { email: ada.user.email, code });
  expect([login.status, login.body]).toEqual([400, invalidCode]);
});

test('attack: whoever finds a device open cannot add or remove a phone, nor can anybody signed out', async () => {
  const { service, sink } = await startTextingService({ REAUTH_WINDOW: '5m' });
  const { client } = await signInAs(service);
  service.advance(6 * MINUTE);

  for (const phoneNumber of [ADA, null]) {
    const { status, body } = await client.post('/add-phone', { phoneNumber });
    expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  }
  for (const path of ['/add-phone', '/verify-phone']) {
    const answer = await nativeClient(service).post(path, { phoneNumber: ADA, code: '1' });
    expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_TOKEN']);
  }
  expect(sink.requests).toEqual([]);
});
