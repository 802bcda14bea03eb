import { expect, test, vi } from 'vitest';
import { sms } from '../src/features/sms/feature.js';
import { parsePhoneNumber } from '../src/features/sms/numbers.js';
import { nativeClient } from './client.js';
import { SECRETS } from './environment.js';
import {
  addPhone,
  requestTextedCode,
  sendCode,
  signInWithPhone,
  startTextingService,
  verifyCode,
  withCode,
} from './flows/sms.js';
import { closedGate } from './gate.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const invalidCode = { error: 'This code is wrong or no longer valid.', code: 'INVALID_SMS_CODE' };

const MINUTE = 60_000;

test('a disabled account is texted nothing; only the right code shows that an account was disabled later', async () => {
  const { phones, email, code } = await withCode();
  const wrong = await phones.wrongCode();
  await phones.service.services.db.updateTable('users').set({ disabled_at: 1 }).execute();
  const count = phones.sink.requests.length;

  await sendCode(phones, { email });
  await phones.service.idle();
  expect(phones.sink.requests).toHaveLength(count);
  expect((await verifyCode(phones, { email, code: wrong })).body).toEqual(invalidCode);
  const right = await verifyCode(phones, { email, code });
  expect([right.status, right.body.code]).toEqual([403, 'ACCOUNT_DISABLED']);
});

test('whoever has used up the guesses of a code can have a new one, with guesses of its own', async () => {
  const { phones, email } = await withCode();
  const wrong = { email, code: await phones.wrongCode() };
  for (let guess = 0; guess < sms.limits.guessesOfCode.points; guess++) {
    await verifyCode(phones, wrong);
  }
  phones.service.advance(MINUTE);
  const code = await requestTextedCode(phones, email);
  await verifyCode(phones, { email, code: await phones.wrongCode() });
  expect((await verifyCode(phones, { email, code })).status).toBe(200);
});

test('attack: a stolen database opens nothing, since codes are hashed with a key that is not in it', async () => {
  const { phones, ada, email, code } = await withCode();
  const { db } = phones.service.services;
  const stored = await db.selectFrom('one_time_tokens').selectAll().execute();
  expect(stored).toMatchObject([{ user_id: ada.user.id, kind: 'sms-login' }]);
  expect(stored[0]?.token_hash).toMatch(/^[0-9a-f]{64}$/);

  const sameSecrets = await startTextingService();
  const ACCESS_TOKEN_SECRET = 'another-access-secret-of-the-tests-0123';
  const otherSecrets = await startTextingService({ ACCESS_TOKEN_SECRET });
  const both = `${ACCESS_TOKEN_SECRET},${SECRETS.ACCESS_TOKEN_SECRET}`;
  const rotating = await startTextingService({ ACCESS_TOKEN_SECRET: both });
  for (const copy of [sameSecrets, otherSecrets, rotating]) {
    for (const table of ['users', 'phone_numbers', 'one_time_tokens'] as const) {
      const rows = await db.selectFrom(table).selectAll().execute();
      await copy.service.services.db.insertInto(table).values(rows).execute();
    }
  }
  expect((await verifyCode(sameSecrets, { email, code })).status).toBe(200);
  expect((await verifyCode(otherSecrets, { email, code })).status).toBe(400);
  expect((await verifyCode(rotating, { email, code })).status).toBe(200);
});

test('enumeration by time: the answer to a request for a code waits for nothing', async () => {
  const phones = await startTextingService({}, startTestService);
  const { user } = await signInWithPhone(phones);
  const findByEmail = vi.spyOn(phones.service.services.users, 'findByEmail');
  const lookUp = closedGate();
  findByEmail.mockImplementation(async () => {
    await lookUp.opened;
    return user;
  });

  const { status } = await sendCode(phones, { email: user.email });

  expect([status, phones.sink.requests.length]).toEqual([200, 1]);
  await vi.waitFor(() => expect(findByEmail).toHaveBeenCalled(), 30_000);
  lookUp.open();
  await vi.waitFor(() => expect(phones.sink.requests).toHaveLength(2), 30_000);
});

test('enumeration by time: a wrong code is refused after as many queries, whoever is named, and after too many guesses', async () => {
  const { phones, email } = await withCode();
  const { user: withoutPhone } = await signInAs(phones.service);
  const code = await phones.wrongCode();
  const { background, db, limiter } = phones.service.services;
  vi.spyOn(background, 'run').mockReturnValue();
  const counted = vi.spyOn(limiter, 'allows');
  const queries = vi.spyOn(Object.getPrototypeOf(db.getExecutor()), 'executeQuery');
  const seen = new Set<string>();
  for (const named of [email, withoutPhone.email, 'nobody@example.com']) {
    for (let guess = 0; guess < sms.limits.guessesOfCode.points + 2; guess++) {
      queries.mockClear();
      counted.mockClear();
      expect((await verifyCode(phones, { email: named, code })).status).toBe(400);
      // Others are of what runs beside it.
      const statements = queries.mock.calls.map(([query]) => JSON.stringify(query));
      const own = statements.flatMap(
        (each) => /users|one_time_tokens|phone_numbers/.exec(each) ?? [],
      );
      seen.add([...own, counted.mock.calls.length].join());
    }
  }
  expect([...seen]).toEqual(['users,one_time_tokens,phone_numbers,1']);
});

test('a failed guess emits an event, without the code', async () => {
  const { phones, ada, email } = await withCode();
  const code = await phones.wrongCode();
  await verifyCode(phones, { email, code });

  const events = await phones.service.events();
  const failed = events.filter(({ event }) => event === 'identity.auth.login.failed');
  const data = { method: 'sms', reason: 'INVALID_SMS_CODE', email };
  expect(failed).toMatchObject([{ data, metadata: { userId: ada.user.id } }]);
  expect(JSON.stringify(failed)).not.toContain(`"${code}"`);
});

test('a request that names nobody is a mistake; an id or address that cannot exist is unknown', async () => {
  const phones = await startTextingService();
  for (const who of [{}, { email: null }, { userId: 1 }]) {
    for (const answer of [
      await sendCode(phones, who),
      await verifyCode(phones, { ...who, code: '1' }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    }
  }
  for (const userId of [crypto.randomUUID(), 'nonsense', "' or 1=1 --", 'ünïcödé']) {
    expect((await sendCode(phones, { userId })).body).toEqual({ success: true });
    expect((await verifyCode(phones, { userId, code: '123456' })).body).toEqual(invalidCode);
  }
  for (const email of ['', 'ada', `${'a'.repeat(600)}@example.com`]) {
    expect((await sendCode(phones, { email })).body).toEqual({ success: true });
    expect((await verifyCode(phones, { email, code: '123456' })).body).toEqual(invalidCode);
  }
  await phones.service.idle();
  expect(phones.sink.requests).toEqual([]);
});

const ADA = '+4915112345678';

const MALLORY = '+4915187654321';

test('the last way into an account stays: a phone that nothing else signs in beside cannot be removed', async () => {
  const phones = await startTextingService();
  const { client, user } = await signInWithPhone(phones, { isEmailProven: false });

  const { status, body } = await client.post('/add-phone', { phoneNumber: null });
  expect([status, body.code]).toEqual([409, 'LAST_LOGIN_METHOD']);

  const code = await requestTextedCode(phones, user.email);
  expect((await verifyCode(phones, { email: user.email, code })).status).toBe(200);
});

test.each(['en', 'de'])(
  'the owner is notified by mail (%s) of a new number and once of its removal, by its last digits',
  async (MAIL_LANGUAGE) => {
    const phones = await startTextingService({ MAIL_LANGUAGE });
    const { user, client, phoneNumber } = await signInWithPhone(phones);
    for (let removal = 0; removal < 2; removal++) {
      expect((await client.post('/add-phone', { phoneNumber: null })).status).toBe(200);
    }

    const mails = await phones.service.mails();
    expect(mails.map(({ to, name }) => [to, name])).toEqual([
      [user.email, 'phoneAdded'],
      [user.email, 'phoneRemoved'],
    ]);
    for (const { text } of mails) {
      expect(text).toContain(phoneNumber.slice(-3));
      expect(text).not.toContain(phoneNumber.slice(-7));
    }
  },
);

test('attack: the code of one number does not verify another, nor for another user', async () => {
  const phones = await startTextingService();
  const ada = await signInAs(phones.service);
  const mallory = await signInAs(phones.service);
  const ofMallory = await addPhone(phones, mallory, MALLORY);
  const ofAda = await addPhone(phones, ada, ADA);

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
    const code = await addPhone(phones, person, ADA);
    expect((await person.client.post('/verify-phone', { code })).status).toBe(200);
  }
  const code = await requestTextedCode(phones, ada.user.email);

  const asBob = { email: bob.user.email, code };
  expect((await nativeClient(phones.service).post('/sms/verify', asBob)).body).toEqual(invalidCode);
});

test('guessing: after five wrong codes, also in parallel, the right one is void', async () => {
  const phones = await startTextingService();
  const ada = await signInAs(phones.service);
  const code = await addPhone(phones, ada, ADA);
  const wrong = { code: await phones.wrongCode() };
  await Promise.all(Array.from({ length: 20 }, () => ada.client.post('/verify-phone', wrong)));
  expect((await ada.client.post('/verify-phone', { code })).body).toEqual(invalidCode);
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

test('a malformed phone number or code is a validation error', async () => {
  const { client } = await signInAs((await startTextingService()).service);
  for (const wrong of [undefined, 1, [ADA], '1'.repeat(5000), '123456\0']) {
    const answers = [
      await client.post('/add-phone', { phoneNumber: wrong }),
      await client.post('/verify-phone', { code: wrong }),
    ];
    expect(answers.map(({ body }) => body.code)).toEqual(Array(2).fill('VALIDATION_FAILED'));
  }
});

test('a number of a country that texts are not sent to is refused; a country that is taken off gets none', async () => {
  const phones = await startTextingService({ SMS_COUNTRIES: '1,44' });
  const { client } = await signInAs(phones.service);
  const add = (phoneNumber: string) => client.post('/add-phone', { phoneNumber });
  const { status, body } = await add('+4915112345678');
  expect([status, body.code]).toEqual([400, 'PHONE_COUNTRY_NOT_ALLOWED']);
  expect((await add('nonsense')).body.code).toBe('INVALID_PHONE_NUMBER');
  expect((await add('+447911123456')).status).toBe(200);
  await phones.service.idle();
  expect(phones.sink.texts().map(({ to }) => to)).toEqual(['+447911123456']);

  const { user } = await signInAs(phones.service);
  await phones.service.services.sms.saveNumber(user.id, '+4915112345678');
  expect((await nativeClient(phones.service).post('/sms/send', { email: user.email })).status).toBe(
    200,
  );
  await phones.service.idle();
  expect(phones.sink.requests).toHaveLength(1);
});

test('a code lives for ten minutes, four wrong ones do no harm, and a new one voids it', async () => {
  const { phones, email } = await withCode();
  phones.service.stopClock();
  const code = await requestTextedCode(phones, email);
  const wrong = { email, code: await phones.wrongCode() };
  for (let guess = 0; guess < 4; guess++) await verifyCode(phones, wrong);
  phones.service.stopClock(10 * MINUTE - 1000);
  expect((await verifyCode(phones, { email, code })).status).toBe(200);

  const late = await requestTextedCode(phones, email);
  phones.service.advance(10 * MINUTE + 1000);
  expect((await verifyCode(phones, { email, code: late })).body).toEqual(invalidCode);

  const older = await requestTextedCode(phones, email);
  const newer = await requestTextedCode(phones, email);
  if (older === newer) return;
  expect((await verifyCode(phones, { email, code: older })).body).toEqual(invalidCode);
});

test('an old number stays in use until the new one is verified, and its codes die with it', async () => {
  const phones = await startTextingService();
  const ada = await signInWithPhone(phones);
  const { email, id } = ada.user;
  const { sms } = phones.service.services;
  const ofOld = await requestTextedCode(phones, email);
  const code = await addPhone(phones, ada, ADA);
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

test('race: a code that was texted to the old number opens no session once the new one is verified', async () => {
  const phones = await startTextingService();
  const ada = await signInWithPhone(phones);
  const { email, id } = ada.user;
  const { sms, users } = phones.service.services;
  const code = await requestTextedCode(phones, email);
  const findAccount = users.findAccount.bind(users);
  vi.spyOn(users, 'findAccount').mockImplementationOnce(async (of) => {
    await sms.saveNumber(id, ADA);
    return findAccount(of);
  });
  expect((await verifyCode(phones, { email, code })).body).toEqual(invalidCode);
});

test('attack: a code for a new phone that one session requested is wrong in another, stale one', async () => {
  const phones = await startTextingService();
  const { service } = phones;
  const email = 'ada@example.com';
  const [stale, fresh] = [await signInAs(service, { email }), await signInAs(service, { email })];
  const code = await addPhone(phones, fresh, '+4915112345678');

  expect((await stale.client.post('/verify-phone', { code })).body).toEqual(invalidCode);
  expect((await fresh.client.post('/verify-phone', { code })).status).toBe(200);
});
