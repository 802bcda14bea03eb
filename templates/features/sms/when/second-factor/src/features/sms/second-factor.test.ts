import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import {
  type Phones,
  requestTextedCode,
  signInWithPhone,
  startTextingService,
} from '../../../test/phone.js';
import { startSingleInstance } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { openChallenge } from '../second-factor/challenge.js';

const MINUTE = 60_000;

/** Somebody with a verified phone who has done the first step of a sign-in. */
async function atSecondStep(phones: Phones, method = 'local') {
  const { user, accessToken } = await signInWithPhone(phones);
  const tempToken = await openChallenge(phones.service.services, { userId: user.id, method });
  return { user, accessToken, tempToken };
}

function send({ service }: Phones, tempToken: unknown) {
  return nativeClient(service).post('/sms/send', { mode: '2fa', tempToken });
}

async function requestCode(phones: Phones, tempToken: string): Promise<string> {
  await send(phones, tempToken);
  return phones.lastCode();
}

function verify({ service }: Phones, tempToken: unknown, code: unknown) {
  return nativeClient(service).post('/sms/verify', { mode: '2fa', tempToken, code });
}

test('a texted code finishes a sign-in', async () => {
  const phones = await startTextingService();
  const { user, tempToken } = await atSecondStep(phones);

  const sent = await send(phones, tempToken);
  expect([sent.status, sent.body]).toEqual([200, { success: true }]);
  const { status, body } = await verify(phones, tempToken, await phones.lastCode());

  expect(status).toBe(200);
  expect((await nativeClient(phones.service, body.accessToken).get('/me')).body.sub).toBe(user.id);
});

test('the second step needs its temp token', async () => {
  const phones = await startTextingService();
  const { tempToken, accessToken } = await atSecondStep(phones);
  const code = await requestCode(phones, tempToken);

  for (const missing of [undefined, '']) {
    expect((await send(phones, missing)).body.code).toBe('TEMP_TOKEN_REQUIRED');
    expect((await verify(phones, missing, code)).body.code).toBe('TEMP_TOKEN_REQUIRED');
  }
  for (const wrong of ['nonsense', accessToken, `${tempToken}x`]) {
    const [sent, used] = [await send(phones, wrong), await verify(phones, wrong, code)];
    expect([sent.status, sent.body.code]).toEqual([400, 'INVALID_TEMP_TOKEN']);
    expect([used.status, used.body.code]).toEqual([400, 'INVALID_TEMP_TOKEN']);
  }
  expect((await verify(phones, tempToken, code)).status).toBe(200);
});

test('a code that signs in is not a second step, and the other way round', async () => {
  const phones = await startTextingService();
  const { user, tempToken } = await atSecondStep(phones);
  const ofLogin = await requestTextedCode(phones, user.email);
  const ofSecondStep = await requestCode(phones, tempToken);
  expect((await verify(phones, tempToken, ofLogin)).body.code).toBe('INVALID_SMS_CODE');

  const { body } = await nativeClient(phones.service).post('/sms/verify', {
    email: user.email,
    code: ofSecondStep,
    tempToken,
  });

  expect(body.code).toBe('INVALID_SMS_CODE');
  expect((await verify(phones, tempToken, ofSecondStep)).status).toBe(200);
});

test('a code of another user, or of another sign-in of one user, does not do', async () => {
  const phones = await startTextingService();
  const ada = await atSecondStep(phones);
  const mallory = await atSecondStep(phones);
  const second = await openChallenge(phones.service.services, {
    userId: ada.user.id,
    method: 'local',
  });
  const ofMallory = await requestCode(phones, mallory.tempToken);
  const ofAda = await requestCode(phones, ada.tempToken);

  for (const [tempToken, code] of [
    [ada.tempToken, ofMallory],
    [mallory.tempToken, ofAda],
    [second, ofAda],
  ]) {
    const { status, body } = await verify(phones, tempToken, code);
    expect([status, body.code]).toEqual([400, 'INVALID_SMS_CODE']);
  }
  expect((await verify(phones, ada.tempToken, ofAda)).status).toBe(200);
});

test('who got in by a texted code cannot finish by another one', async () => {
  const phones = await startTextingService();
  const { tempToken } = await atSecondStep(phones, 'sms');
  const count = phones.sink.requests.length;

  const { status, body } = await send(phones, tempToken);

  expect([status, body.code]).toEqual([400, 'INVALID_TEMP_TOKEN']);
  expect(phones.sink.requests).toHaveLength(count);
  expect((await verify(phones, tempToken, '123456')).body.code).toBe('INVALID_SMS_CODE');
});

test('a phone that is not verified is no second factor', async () => {
  const phones = await startTextingService();
  const { user, client } = await signInAs(phones.service);
  await client.post('/add-phone', { phoneNumber: '+4915112345678' });
  const challenge = { userId: user.id, method: 'local' };
  const tempToken = await openChallenge(phones.service.services, challenge);

  expect((await send(phones, tempToken)).body.code).toBe('INVALID_TEMP_TOKEN');
  const { body } = await verify(phones, tempToken, await phones.lastCode());
  expect(body.code).toBe('INVALID_SMS_CODE');
});

test('a sign-in by texted code is asked for a second factor, of which the phone is none', async () => {
  const phones = await startTextingService();
  const { user } = await signInWithPhone(phones);
  await phones.service.services.settings.set('require2FA', true);
  const code = await requestTextedCode(phones, user.email);

  const { status, body } = await nativeClient(phones.service).post('/sms/verify', {
    email: user.email,
    code,
  });

  expect(status === 200 ? body.available2faMethods : body.code).not.toContain('sms');
  expect(body.accessToken).toBeUndefined();
});

test('race: of twenty parallel uses of one code exactly one finishes the sign-in', async () => {
  const phones = await startTextingService();
  const { user, tempToken } = await atSecondStep(phones);
  const code = await requestCode(phones, tempToken);
  const before = await phones.service.services.sessions.listOfUser(user.id);

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => verify(phones, tempToken, code)),
  );

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
  const after = await phones.service.services.sessions.listOfUser(user.id);
  expect(after).toHaveLength(before.length + 1);
});

test('guessing: five wrong codes end the sign-in, and a new code does not revive it', async () => {
  const phones = await startTextingService();
  const { tempToken } = await atSecondStep(phones);
  await requestCode(phones, tempToken);
  const wrong = await phones.wrongCode();
  for (let guess = 0; guess < 3; guess++) await verify(phones, tempToken, wrong);
  const code = await requestCode(phones, tempToken);
  const stillWrong = await phones.wrongCode();
  for (let guess = 0; guess < 2; guess++) await verify(phones, tempToken, stillWrong);

  expect((await verify(phones, tempToken, code)).body.code).toBe('INVALID_TEMP_TOKEN');
});

test('the code dies with its sign-in, after five minutes', async () => {
  const phones = await startTextingService();
  const { tempToken } = await atSecondStep(phones);
  const code = await requestCode(phones, tempToken);

  phones.service.advance(5 * MINUTE + 1000);

  expect((await verify(phones, tempToken, code)).body.code).toBe('INVALID_TEMP_TOKEN');
});

test('text bombing: the second step counts among the texts of the account', async () => {
  const phones = await startTextingService({ RATE_LIMIT: 'on' }, startSingleInstance);
  const { tempToken } = await atSecondStep(phones);

  expect((await send(phones, tempToken)).status).toBe(200);
  const tooSoon = await send(phones, tempToken);
  expect([tooSoon.status, tooSoon.body.code]).toEqual([429, 'RATE_LIMITED']);
  phones.service.advance(MINUTE + 1000);
  expect((await send(phones, tempToken)).status).toBe(200);
  phones.service.advance(MINUTE + 1000);
  const fourth = await send(phones, tempToken);
  expect([fourth.status, Number(fourth.headers.get('retry-after')) > 50 * 60]).toEqual([429, true]);
});

test.each([
  ['a mode that there is none of', { mode: '3fa', email: 'ada@example.com' }],
  ['a temp token that is a number', { mode: '2fa', tempToken: 1 }],
  ['a temp token without end', { mode: '2fa', tempToken: 'x'.repeat(5000) }],
  ['a first step that names nobody', { mode: 'login', tempToken: 'x' }],
])('%s is a mistake of the request', async (_name, body) => {
  const { service } = await startTextingService();

  for (const path of ['/sms/send', '/sms/verify']) {
    const answer = await nativeClient(service).post(path, { ...body, code: '123456' });
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  }
});
