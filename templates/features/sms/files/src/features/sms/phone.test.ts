import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { signInWithPhone, startTextingService } from '../../../test/phone.js';
import { startSingleInstance } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const MINUTE = 60_000;
const ADA = '+4915112345678';
const invalidCode = {
  error: 'This code is wrong or not valid any more.',
  code: 'INVALID_SMS_CODE',
};

test('a phone is added with the code that is texted to it', async () => {
  const phones = await startTextingService({ APP_URL: 'https://www.example.com:8443/app' });
  const { user, client } = await signInAs(phones.service);

  const added = await client.post('/add-phone', { phoneNumber: '+49 1511 234 56 78' });
  expect([added.status, added.body]).toEqual([200, { success: true }]);
  const code = await phones.lastCode();
  expect(phones.sink.texts()).toEqual([
    {
      to: ADA,
      text: `${code} is your code for www.example.com. Give it to nobody.\n\n@www.example.com #${code}`,
    },
  ]);
  const { sms } = phones.service.services;
  expect(await sms.phones.findVerified(user.id)).toBeUndefined();

  const verified = await client.post('/verify-phone', { code });
  expect([verified.status, verified.body]).toEqual([200, { success: true }]);
  expect(await sms.phones.findVerified(user.id)).toBe(ADA);
});

test('the owner is told by mail of a new number and of its removal, by its last digits', async () => {
  const phones = await startTextingService();
  const { user, client, phoneNumber } = await signInWithPhone(phones);
  await client.post('/add-phone', { phoneNumber: null });

  const mails = await phones.service.mails();
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    [user.email, 'A phone number was added to your account'],
    [user.email, 'Your phone number was removed'],
  ]);
  for (const { text } of mails) {
    expect(text).toContain(`ends in ${phoneNumber.slice(-3)}`);
    expect(text).not.toContain(phoneNumber.slice(-7));
  }
});

test('a number that is not verified takes no codes to sign in with', async () => {
  const phones = await startTextingService();
  const { user, client } = await signInAs(phones.service);
  await client.post('/add-phone', { phoneNumber: ADA });
  const code = await phones.lastCode();

  await client.post('/sms/send', { email: user.email });
  await phones.service.idle();
  expect(phones.sink.requests).toHaveLength(1);
  const login = await client.post('/sms/verify', { email: user.email, code });
  expect([login.status, login.body]).toEqual([400, invalidCode]);
});

test('an old number stays in use until the new one is verified', async () => {
  const phones = await startTextingService();
  const { user, client, phoneNumber } = await signInWithPhone(phones);
  const { sms } = phones.service.services;

  await client.post('/add-phone', { phoneNumber: ADA });
  const code = await phones.lastCode();
  expect(await sms.phones.findVerified(user.id)).toBe(phoneNumber);

  await client.post('/verify-phone', { code });
  expect(await sms.phones.findVerified(user.id)).toBe(ADA);
});

test('a removed number takes its codes along', async () => {
  const phones = await startTextingService();
  const { user, client } = await signInWithPhone(phones);
  await client.post('/sms/send', { email: user.email });
  const code = await phones.lastCode();

  expect((await client.post('/add-phone', { phoneNumber: null })).status).toBe(200);
  expect((await client.post('/add-phone', { phoneNumber: null })).status).toBe(200);

  const { body } = await client.post('/sms/verify', { email: user.email, code });
  expect(body).toEqual(invalidCode);
});

test('the code of one number does not verify another, nor for another user', async () => {
  const phones = await startTextingService();
  const ada = await signInAs(phones.service);
  const mallory = await signInAs(phones.service);
  await mallory.client.post('/add-phone', { phoneNumber: '+4915187654321' });
  const ofMallory = await phones.lastCode();
  await ada.client.post('/add-phone', { phoneNumber: ADA });
  const ofAda = await phones.lastCode();

  expect((await ada.client.post('/verify-phone', { code: ofMallory })).body).toEqual(invalidCode);
  expect((await mallory.client.post('/verify-phone', { code: ofAda })).body).toEqual(invalidCode);
  const { sms } = phones.service.services;
  await sms.phones.savePending(ada.user.id, '+4915187654321');
  expect((await ada.client.post('/verify-phone', { code: ofAda })).body).toEqual(invalidCode);
});

test('one number may serve several accounts, and opens the one that is named', async () => {
  const phones = await startTextingService();
  const people = [await signInAs(phones.service), await signInAs(phones.service)];
  for (const { client } of people) {
    await client.post('/add-phone', { phoneNumber: ADA });
    const { status } = await client.post('/verify-phone', { code: await phones.lastCode() });
    expect(status).toBe(200);
  }
  const [ada, bob] = people;
  await nativeClient(phones.service).post('/sms/send', { email: ada?.user.email });
  const code = await phones.lastCode();

  const asBob = await nativeClient(phones.service).post('/sms/verify', {
    email: bob?.user.email,
    code,
  });
  expect(asBob.body).toEqual(invalidCode);
});

test('five wrong codes and the right one is dead, even if they come in parallel', async () => {
  const phones = await startTextingService();
  const { client } = await signInAs(phones.service);
  await client.post('/add-phone', { phoneNumber: ADA });
  const wrong = await phones.wrongCode();

  await Promise.all(
    Array.from({ length: 20 }, () => client.post('/verify-phone', { code: wrong })),
  );

  const right = await client.post('/verify-phone', { code: await phones.lastCode() });
  expect([right.status, right.body]).toEqual([400, invalidCode]);
});

test('a code lives for ten minutes, and a new one voids it before', async () => {
  const phones = await startTextingService();
  const { client } = await signInAs(phones.service);
  const add = async () => {
    await client.post('/add-phone', { phoneNumber: ADA });
    return phones.lastCode();
  };

  const late = await add();
  phones.service.advance(10 * MINUTE + 1000);
  expect((await client.post('/verify-phone', { code: late })).body).toEqual(invalidCode);

  const older = await add();
  const newer = await add();
  if (older !== newer) {
    expect((await client.post('/verify-phone', { code: older })).body).toEqual(invalidCode);
  }
  expect((await client.post('/verify-phone', { code: newer })).status).toBe(200);
});

test('race: of twenty parallel uses of one code exactly one verifies the number', async () => {
  const phones = await startTextingService();
  const { client } = await signInAs(phones.service);
  await client.post('/add-phone', { phoneNumber: ADA });
  const code = await phones.lastCode();

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.post('/verify-phone', { code })),
  );

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'INVALID_SMS_CODE')).toHaveLength(19);
  expect(await phones.service.mails()).toHaveLength(1);
});

test('an old session cannot add or remove a phone: whoever finds a device open gains nothing', async () => {
  const { service, sink } = await startTextingService({ REAUTH_WINDOW: '5m' });
  const { client } = await signInAs(service);
  service.advance(6 * MINUTE);

  for (const phoneNumber of [ADA, null]) {
    const { status, body } = await client.post('/add-phone', { phoneNumber });
    expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  }
  expect(sink.requests).toEqual([]);
});

test('nobody adds or verifies a phone without signing in', async () => {
  const { service } = await startTextingService();

  for (const path of ['/add-phone', '/verify-phone']) {
    const { status, body } = await nativeClient(service).post(path, {
      phoneNumber: ADA,
      code: '1',
    });
    expect([status, body.code]).toEqual([401, 'INVALID_TOKEN']);
  }
});

test('text bombing: a minute between two texts, three an hour; a typing error costs nothing', async () => {
  const phones = await startTextingService({ RATE_LIMIT: 'on' }, startSingleInstance);
  const { client } = await signInAs(phones.service);
  const add = (phoneNumber: string) => client.post('/add-phone', { phoneNumber });

  for (let text = 1; text <= 3; text++) {
    expect((await add('+49')).body.code).toBe('INVALID_PHONE_NUMBER');
    expect((await add(ADA)).status).toBe(200);
    const tooSoon = await add(ADA);
    expect([tooSoon.status, tooSoon.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(tooSoon.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    phones.service.advance(MINUTE + 1000);
  }
  const fourth = await add(ADA);
  expect([fourth.status, Number(fourth.headers.get('retry-after')) > 50 * 60]).toEqual([429, true]);
  expect((await client.post('/add-phone', { phoneNumber: null })).status).toBe(200);
  await phones.service.idle();
  expect(phones.sink.requests).toHaveLength(3);
});

test('many accounts from many addresses do not flood one phone', async () => {
  const phones = await startTextingService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  const statuses: number[] = [];
  for (let nth = 1; nth <= 6; nth++) {
    const { client } = await signInAs(phones.service);
    const from = { 'x-forwarded-for': `203.0.113.${nth}` };
    statuses.push((await client.post('/add-phone', { phoneNumber: ADA }, from)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  await phones.service.services.background.idle();
  expect(phones.sink.requests).toHaveLength(5);
});
