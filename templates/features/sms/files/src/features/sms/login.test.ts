import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../../test/client.js';
import {
  type Phones,
  requestTextedCode,
  signInWithPhone,
  startTextingService,
} from '../../../test/phone.js';

const MINUTE = 60_000;
const invalidCode = {
  error: 'This code is wrong or not valid any more.',
  code: 'INVALID_SMS_CODE',
};

function verify({ service }: Phones, body: unknown) {
  return nativeClient(service).post('/sms/verify', body);
}

test('a texted code signs in, by email or by user id, as `sms`', async () => {
  const phones = await startTextingService();
  const { user, phoneNumber } = await signInWithPhone(phones);

  for (const who of [{ email: user.email }, { userId: user.id }]) {
    const sent = await nativeClient(phones.service).post('/sms/send', who);
    expect([sent.status, sent.body]).toEqual([200, { success: true }]);
    const code = await phones.lastCode();
    expect(phones.sink.texts().at(-1)?.to).toBe(phoneNumber);

    const { status, body, setCookies } = await verify(phones, { ...who, code });
    expect([status, setCookies]).toEqual([200, []]);
    const me = await nativeClient(phones.service, body.accessToken).get('/me');
    expect(me.body).toMatchObject({ sub: user.id, isEmailVerified: false });
  }
  expect(await phones.service.events()).toContainEqual(
    expect.objectContaining({ event: 'identity.auth.login.success', data: { method: 'sms' } }),
  );
});

test('a browser gets cookies and no tokens in the body', async () => {
  const phones = await startTextingService();
  const { user } = await signInWithPhone(phones);
  const client = browser(phones.service);
  const code = await requestTextedCode(phones, user.email);

  const { status, body } = await client.post('/sms/verify', { email: user.email, code });

  expect([status, body]).toEqual([200, { success: true }]);
  expect((await client.get('/me')).body.sub).toBe(user.id);
});

test('a code is taken as people type it, and from another spelling of the address', async () => {
  const phones = await startTextingService();
  const { user } = await signInWithPhone(phones, { email: 'ada@example.com' });
  const code = await requestTextedCode(phones, ' ＡDA@Example.com');

  const { status } = await verify(phones, { email: 'ADA@example.com ', code: ` ${code} ` });

  expect([status, user.email]).toEqual([200, 'ada@example.com']);
});

test('replay: a code works once', async () => {
  const phones = await startTextingService();
  const { email } = (await signInWithPhone(phones)).user;
  const code = await requestTextedCode(phones, email);

  expect((await verify(phones, { email, code })).status).toBe(200);
  const again = await verify(phones, { email, code });

  expect([again.status, again.body]).toEqual([400, invalidCode]);
});

test('race: of twenty parallel uses of one code exactly one signs in', async () => {
  const phones = await startTextingService();
  const { user } = await signInWithPhone(phones);
  const code = await requestTextedCode(phones, user.email);
  const before = await phones.service.services.sessions.listOfUser(user.id);

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => verify(phones, { email: user.email, code })),
  );

  const losers = answers.filter(({ status }) => status !== 200);
  expect(losers.map(({ status, body }) => [status, body])).toEqual(
    Array(19).fill([400, invalidCode]),
  );
  const after = await phones.service.services.sessions.listOfUser(user.id);
  expect(after).toHaveLength(before.length + 1);
});

test('guessing: five wrong codes in parallel or in a row, and the right one is dead; limits off or on', async () => {
  for (const RATE_LIMIT of ['on', 'off']) {
    const phones = await startTextingService({ RATE_LIMIT });
    const { email } = (await signInWithPhone(phones)).user;
    const code = await requestTextedCode(phones, email);
    const wrong = await phones.wrongCode();

    await Promise.all(Array.from({ length: 3 }, () => verify(phones, { email, code: wrong })));
    for (let guess = 0; guess < 2; guess++) await verify(phones, { email, code: wrong });

    expect((await verify(phones, { email, code })).body).toEqual(invalidCode);
  }
});

test('four wrong codes do no harm', async () => {
  const phones = await startTextingService();
  const { email } = (await signInWithPhone(phones)).user;
  const code = await requestTextedCode(phones, email);
  const wrong = await phones.wrongCode();

  for (let guess = 0; guess < 4; guess++) await verify(phones, { email, code: wrong });

  expect((await verify(phones, { email, code })).status).toBe(200);
});

test('a code lives for ten minutes, and a new one voids it before', async () => {
  const phones = await startTextingService();
  const { email } = (await signInWithPhone(phones)).user;

  const inTime = await requestTextedCode(phones, email);
  phones.service.advance(10 * MINUTE - 5000);
  expect((await verify(phones, { email, code: inTime })).status).toBe(200);

  const late = await requestTextedCode(phones, email);
  phones.service.advance(10 * MINUTE + 1000);
  expect((await verify(phones, { email, code: late })).body).toEqual(invalidCode);

  const older = await requestTextedCode(phones, email);
  const newer = await requestTextedCode(phones, email);
  if (older !== newer) {
    expect((await verify(phones, { email, code: older })).body).toEqual(invalidCode);
  }
  expect((await verify(phones, { email, code: newer })).status).toBe(200);
});

test('a code opens no other account', async () => {
  const phones = await startTextingService();
  const ada = (await signInWithPhone(phones)).user;
  const mallory = (await signInWithPhone(phones)).user;
  await requestTextedCode(phones, ada.email);
  const ofMallory = await requestTextedCode(phones, mallory.email);

  const { body } = await verify(phones, { email: ada.email, code: ofMallory });

  expect(body).toEqual(invalidCode);
});

test('the code that verifies a phone signs nobody in, and the other way round', async () => {
  const phones = await startTextingService();
  const { user, client } = await signInWithPhone(phones);
  await client.post('/add-phone', { phoneNumber: '+4915112345678' });
  const ofPhone = await phones.lastCode();
  const ofLogin = await requestTextedCode(phones, user.email);

  const login = await verify(phones, { email: user.email, code: ofPhone });
  expect(login.body).toEqual(invalidCode);
  expect((await client.post('/verify-phone', { code: ofLogin })).body).toEqual(invalidCode);
});

test('a code that was texted to the old number dies with it', async () => {
  const phones = await startTextingService();
  const { user, client } = await signInWithPhone(phones);
  const code = await requestTextedCode(phones, user.email);
  await client.post('/add-phone', { phoneNumber: '+4915112345678' });
  await client.post('/verify-phone', { code: await phones.lastCode() });

  expect((await verify(phones, { email: user.email, code })).body).toEqual(invalidCode);
});

test('a disabled account is texted nothing; one that is disabled later hears of it with the right code only', async () => {
  const phones = await startTextingService();
  const { email } = (await signInWithPhone(phones)).user;
  const code = await requestTextedCode(phones, email);
  const wrong = await phones.wrongCode();
  await phones.service.services.db.updateTable('users').set({ disabled_at: 1 }).execute();
  const count = phones.sink.requests.length;

  await nativeClient(phones.service).post('/sms/send', { email });
  await phones.service.idle();
  expect(phones.sink.requests).toHaveLength(count);
  expect((await verify(phones, { email, code: wrong })).body).toEqual(invalidCode);
  const right = await verify(phones, { email, code });
  expect([right.status, right.body.code]).toEqual([403, 'ACCOUNT_DISABLED']);
});

test('a stolen database opens nothing: codes are hashed with a key that is not in it', async () => {
  const phones = await startTextingService();
  const { user } = await signInWithPhone(phones);
  const code = await requestTextedCode(phones, user.email);

  const stored = await phones.service.services.db.selectFrom('sms_codes').selectAll().execute();
  expect(stored).toMatchObject([{ user_id: user.id, purpose: 'login' }]);
  expect(stored[0]?.code_hash).toMatch(/^[0-9a-f]{64}$/);

  const sameSecrets = await startTextingService();
  const otherSecrets = await startTextingService({
    ACCESS_TOKEN_SECRET: 'another-access-secret-of-the-tests-0123',
  });
  for (const [copy, status] of [
    [sameSecrets, 200],
    [otherSecrets, 400],
  ] as const) {
    await copyAccount(phones, copy);
    expect((await verify(copy, { email: user.email, code })).status).toBe(status);
  }
});

async function copyAccount(from: Phones, to: Phones): Promise<void> {
  for (const table of ['users', 'phone_numbers', 'sms_codes'] as const) {
    const rows = await from.service.services.db.selectFrom(table).selectAll().execute();
    await to.service.services.db.insertInto(table).values(rows).execute();
  }
}
