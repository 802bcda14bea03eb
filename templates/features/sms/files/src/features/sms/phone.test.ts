import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import {
  type Phones,
  requestTextedCode,
  signInWithPhone,
  startTextingService,
} from '../../../test/phone.js';
import { type SignedIn, signInAs } from '../../../test/sign-in-as.js';
import { parsePhoneNumber } from './phone.js';

const MINUTE = 60_000;
const ADA = '+4915112345678';
const MALLORY = '+4915187654321';
const invalidCode = { error: 'This code is wrong or no longer valid.', code: 'INVALID_SMS_CODE' };

/** Asks for a code to a new number; the code of the text. */
async function addPhone(phones: Phones, { client }: SignedIn, phoneNumber = ADA): Promise<string> {
  expect((await client.post('/add-phone', { phoneNumber })).body).toEqual({ success: true });
  return phones.lastCode();
}

test('a phone is added with the code that is texted to it', async () => {
  const phones = await startTextingService({ APP_URL: 'https://www.example.com:8443/app' });
  const ada = await signInAs(phones.service);
  const { sms } = phones.service.services;

  const code = await addPhone(phones, ada, '+49 1511 234 56 78');
  const text = `${code} is your code for www.example.com. Give it to nobody.\n\n@www.example.com #${code}`;
  expect(phones.sink.texts()).toEqual([{ to: ADA, text }]);
  expect(await sms.findNumber(ada.user.id)).toBeUndefined();

  expect((await ada.client.post('/verify-phone', { code })).body).toEqual({ success: true });
  expect(await sms.findNumber(ada.user.id)).toBe(ADA);
});

test('the owner is told by mail of a new number and of its removal, by its last digits', async () => {
  const phones = await startTextingService();
  const { user, client, phoneNumber } = await signInWithPhone(phones);
  await client.post('/add-phone', { phoneNumber: null });

  const mails = await phones.service.mails();
  expect(mails.map(({ to, name }) => [to, name])).toEqual([
    [user.email, 'phoneAdded'],
    [user.email, 'phoneRemoved'],
  ]);
  for (const { text } of mails) {
    expect(text).toContain(phoneNumber.slice(-3));
    expect(text).not.toContain(phoneNumber.slice(-7));
  }
});

test('a number that is not verified takes no codes to sign in with', async () => {
  const phones = await startTextingService();
  const ada = await signInAs(phones.service);
  const code = await addPhone(phones, ada);

  await ada.client.post('/sms/send', { email: ada.user.email });
  await phones.service.idle();
  expect(phones.sink.requests).toHaveLength(1);
  const login = await ada.client.post('/sms/verify', { email: ada.user.email, code });
  expect([login.status, login.body]).toEqual([400, invalidCode]);
});

test('an old number stays in use until the new one is verified, and its codes die with it', async () => {
  const phones = await startTextingService();
  const ada = await signInWithPhone(phones);
  const { email, id } = ada.user;
  const { sms } = phones.service.services;
  const ofOld = await requestTextedCode(phones, email);
  const code = await addPhone(phones, ada);
  expect(await sms.findNumber(id)).toBe(ada.phoneNumber);
  await ada.client.post('/verify-phone', { code });
  expect(await sms.findNumber(id)).toBe(ADA);
  const login = await ada.client.post('/sms/verify', { email, code: ofOld });
  expect(login.body).toEqual(invalidCode);

  const ofNew = await requestTextedCode(phones, email);
  for (const _twice of [1, 2]) {
    expect((await ada.client.post('/add-phone', { phoneNumber: null })).status).toBe(200);
  }
  const removed = await ada.client.post('/sms/verify', { email, code: ofNew });
  expect(removed.body).toEqual(invalidCode);
});

test('attack: the code of one number does not verify another, nor for another user', async () => {
  const phones = await startTextingService();
  const ada = await signInAs(phones.service);
  const mallory = await signInAs(phones.service);
  const ofMallory = await addPhone(phones, mallory, MALLORY);
  const ofAda = await addPhone(phones, ada);

  expect((await ada.client.post('/verify-phone', { code: ofMallory })).body).toEqual(invalidCode);
  expect((await mallory.client.post('/verify-phone', { code: ofAda })).body).toEqual(invalidCode);
  await addPhone(phones, ada, MALLORY);
  expect((await ada.client.post('/verify-phone', { code: ofAda })).body).toEqual(invalidCode);
});

test('one number may serve several accounts, and opens the one that is named', async () => {
  const phones = await startTextingService();
  const ada = await signInAs(phones.service);
  const bob = await signInAs(phones.service);
  for (const person of [ada, bob]) {
    const code = await addPhone(phones, person);
    expect((await person.client.post('/verify-phone', { code })).status).toBe(200);
  }
  const code = await requestTextedCode(phones, ada.user.email);

  const asBob = { email: bob.user.email, code };
  expect((await nativeClient(phones.service).post('/sms/verify', asBob)).body).toEqual(invalidCode);
});

test('guessing: after five wrong codes, also in parallel, the right one is dead', async () => {
  const phones = await startTextingService();
  const ada = await signInAs(phones.service);
  const code = await addPhone(phones, ada);
  const wrong = { code: await phones.wrongCode() };
  await Promise.all(Array.from({ length: 20 }, () => ada.client.post('/verify-phone', wrong)));
  expect((await ada.client.post('/verify-phone', { code })).body).toEqual(invalidCode);
});

test('race: of twenty parallel uses of one code exactly one verifies the number', async () => {
  const phones = await startTextingService();
  const ada = await signInAs(phones.service);
  const code = await addPhone(phones, ada);

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ada.client.post('/verify-phone', { code })),
  );

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'INVALID_SMS_CODE')).toHaveLength(19);
  expect(await phones.service.mails()).toHaveLength(1);
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

test.each([
  ['+49 (0) 1511 2345678', ADA],
  ['+1 (415) 555-2671', '+14155552671'],
  ['+44 7911 123456', '+447911123456'],
])('%s is %s', async (text, number) => {
  expect(await parsePhoneNumber(text)).toBe(number);
});

test.each([
  '',
  '+49',
  '015112345678',
  '4915112345678',
  '0049 1511 2345678',
  '+491511234567890123',
  '+999123456789',
  'call +4915112345678',
  '+4915112345678;ext=5',
  '+4915112345678\n+4915187654321',
  '+49 900 1234567',
  '＋４９１５１１２３４５６７８',
])('%j is no phone number to send a text to', async (text) => {
  expect(await parsePhoneNumber(text)).toBeUndefined();
});

test('a phone number or a code of a wrong kind is a mistake of the request', async () => {
  const { client } = await signInAs((await startTextingService()).service);
  for (const wrong of [undefined, 1, [ADA], '1'.repeat(5000), '123456\0']) {
    const answers = [
      await client.post('/add-phone', { phoneNumber: wrong }),
      await client.post('/verify-phone', { code: wrong }),
    ];
    expect(answers.map(({ body }) => body.code)).toEqual(Array(2).fill('VALIDATION_FAILED'));
  }
});
