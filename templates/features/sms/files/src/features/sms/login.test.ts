import { performance } from 'node:perf_hooks';
import { expect, test, vi } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { closedGate } from '../../../test/gate.js';
import {
  type Phones,
  requestTextedCode,
  signInWithPhone,
  startTextingService,
} from '../../../test/phone.js';
import { startTestService } from '../../../test/service.js';
import { signInAs, someRequest } from '../../../test/sign-in-as.js';
import { proveEmail } from '../../session/credentials.js';
import { sms } from './feature.js';

const MINUTE = 60_000;
const invalidCode = { error: 'This code is wrong or no longer valid.', code: 'INVALID_SMS_CODE' };

function send({ service }: Phones, who: unknown) {
  return nativeClient(service).post('/sms/send', who);
}

function verify({ service }: Phones, body: unknown) {
  return nativeClient(service).post('/sms/verify', body);
}

/** Somebody with a phone, to which a code was texted. */
async function withCode() {
  const phones = await startTextingService();
  const ada = await signInWithPhone(phones, { email: 'ada@example.com' });
  const { email } = ada.user;
  return { phones, ada, email, code: await requestTextedCode(phones, email) };
}

/** Somebody with a living code, with a phone, without a phone, and nobody. */
async function fourPeople(phones: Phones): Promise<string[]> {
  const withPhone = (await signInWithPhone(phones)).user.email;
  const without = (await signInAs(phones.service)).user.email;
  const withLivingCode = (await signInWithPhone(phones)).user.email;
  await requestTextedCode(phones, withLivingCode);
  return [withLivingCode, withPhone, without, 'nobody@example.com'];
}

test('a texted code signs in, by email or by user id, as `sms`', async () => {
  const phones = await startTextingService();
  const { user, phoneNumber } = await signInWithPhone(phones, { email: 'ada@example.com' });

  for (const who of [{ email: ' ＡDA@Example.com' }, { userId: user.id }]) {
    expect((await send(phones, who)).body).toEqual({ success: true });
    const code = ` ${await phones.lastCode()} `;
    expect(phones.sink.texts().at(-1)?.to).toBe(phoneNumber);

    const { status, body, setCookies } = await verify(phones, { ...who, code });
    expect([status, setCookies]).toEqual([200, []]);
    const me = await nativeClient(phones.service, body.accessToken).get('/me');
    expect(me.body).toMatchObject({ sub: user.id, isEmailVerified: false });
    expect((await verify(phones, { ...who, code })).body, 'replay').toEqual(invalidCode);
  }
  expect(await phones.service.events()).toContainEqual(
    expect.objectContaining({ event: 'identity.auth.login.success', data: { method: 'sms' } }),
  );
});

test('race: of twenty parallel uses of one code exactly one signs in', async () => {
  const { phones, ada, email, code } = await withCode();

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => verify(phones, { email, code })),
  );

  const losers = answers.filter(({ status }) => status !== 200);
  expect(losers.map(({ body }) => body)).toEqual(Array(19).fill(invalidCode));
  expect(await phones.service.services.sessions.listOfUser(ada.user.id)).toHaveLength(2);
});

test('guessing: after too many wrong codes, in parallel or in a row, the right one is dead; limits off or on', async () => {
  const { points } = sms.limits.guessesOfCode;
  for (const RATE_LIMIT of ['on', 'off']) {
    const phones = await startTextingService({ RATE_LIMIT });
    const { email } = (await signInWithPhone(phones)).user;
    const code = await requestTextedCode(phones, email);
    const wrong = { email, code: await phones.wrongCode() };

    await Promise.all(Array.from({ length: points - 2 }, () => verify(phones, wrong)));
    for (let guess = 0; guess < 2; guess++) await verify(phones, wrong);

    expect((await verify(phones, { email, code })).body).toEqual(invalidCode);
  }
});

test('a code lives for ten minutes, four wrong ones do no harm, and a new one voids it', async () => {
  const { phones, email, code } = await withCode();
  const wrong = { email, code: await phones.wrongCode() };
  for (let guess = 0; guess < 4; guess++) await verify(phones, wrong);
  phones.service.advance(10 * MINUTE - 5000);
  expect((await verify(phones, { email, code })).status).toBe(200);

  const late = await requestTextedCode(phones, email);
  phones.service.advance(10 * MINUTE + 1000);
  expect((await verify(phones, { email, code: late })).body).toEqual(invalidCode);

  const older = await requestTextedCode(phones, email);
  const newer = await requestTextedCode(phones, email);
  if (older === newer) return;
  expect((await verify(phones, { email, code: older })).body).toEqual(invalidCode);
});

test('attack: a code of another account, or that verifies a phone, signs nobody in', async () => {
  const { phones, ada, email, code } = await withCode();
  const mallory = (await signInWithPhone(phones)).user;
  const ofMallory = await requestTextedCode(phones, mallory.email);
  await ada.client.post('/add-phone', { phoneNumber: '+4915112345678' });
  const ofPhone = await phones.lastCode();

  for (const other of [ofMallory, ofPhone]) {
    expect((await verify(phones, { email, code: other })).body).toEqual(invalidCode);
  }
  expect((await ada.client.post('/verify-phone', { code })).body).toEqual(invalidCode);
});

test('a disabled account is texted nothing; one that is disabled later hears of it with the right code only', async () => {
  const { phones, email, code } = await withCode();
  const wrong = await phones.wrongCode();
  await phones.service.services.db.updateTable('users').set({ disabled_at: 1 }).execute();
  const count = phones.sink.requests.length;

  await send(phones, { email });
  await phones.service.idle();
  expect(phones.sink.requests).toHaveLength(count);
  expect((await verify(phones, { email, code: wrong })).body).toEqual(invalidCode);
  const right = await verify(phones, { email, code });
  expect([right.status, right.body.code]).toEqual([403, 'ACCOUNT_DISABLED']);
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
  for (const copy of [sameSecrets, otherSecrets]) {
    for (const table of ['users', 'phone_numbers', 'one_time_tokens'] as const) {
      const rows = await db.selectFrom(table).selectAll().execute();
      await copy.service.services.db.insertInto(table).values(rows).execute();
    }
  }
  expect((await verify(sameSecrets, { email, code })).status).toBe(200);
  expect((await verify(otherSecrets, { email, code })).status).toBe(400);
});

test('pre-hijacking: a phone that was added before the address was proven opens nothing after', async () => {
  const { phones, ada, email, code } = await withCode();
  await proveEmail(phones.service.services, someRequest(), ada.user);

  expect((await verify(phones, { email, code })).body).toEqual(invalidCode);
  const count = phones.sink.requests.length;
  await send(phones, { email });
  await phones.service.idle();
  expect(phones.sink.requests).toHaveLength(count);
});

test('enumeration: neither answer nor time tells who has an account, or a phone', async () => {
  const phones = await startTextingService();
  const people = await fourPeople(phones);
  const wrong = await phones.wrongCode();
  for (const [path, status, least] of [
    ['/sms/send', 200, 0],
    // A full step of 100 ms; timers may fire up to a millisecond early.
    ['/sms/verify', 400, 98],
  ] as const) {
    const answers = await Promise.all(
      people.map(async (email) => {
        const start = performance.now();
        const body = { email, code: wrong };
        const answer = await nativeClient(phones.service).post(path, body);
        expect(performance.now() - start).toBeGreaterThan(least);
        return answer;
      }),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(4).fill(status));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => [...headers.keys()].join())).size).toBe(1);
  }
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

  const { status } = await send(phones, { email: user.email });

  expect([status, phones.sink.requests.length]).toEqual([200, 1]);
  await vi.waitFor(() => expect(findByEmail).toHaveBeenCalled());
  lookUp.open();
  await vi.waitFor(() => expect(phones.sink.requests).toHaveLength(2));
});

test('a failed guess is told to listeners, without the code', async () => {
  const { phones, ada, email } = await withCode();
  const code = await phones.wrongCode();
  await verify(phones, { email, code });

  const events = await phones.service.events();
  const failed = events.filter(({ event }) => event === 'identity.auth.login.failed');
  const data = { method: 'sms', reason: 'INVALID_SMS_CODE', email };
  expect(failed).toMatchObject([{ data, metadata: { userId: ada.user.id } }]);
  expect(JSON.stringify(failed)).not.toContain(`"${code}"`);
});

test('a request that names nobody is a mistake; an id or address that cannot exist is unknown', async () => {
  const phones = await startTextingService();
  for (const who of [{}, { email: null }, { userId: 1 }]) {
    for (const answer of [await send(phones, who), await verify(phones, { ...who, code: '1' })]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    }
  }
  for (const userId of [crypto.randomUUID(), 'nonsense', "' or 1=1 --", 'ünïcödé']) {
    expect((await send(phones, { userId })).body).toEqual({ success: true });
    expect((await verify(phones, { userId, code: '123456' })).body).toEqual(invalidCode);
  }
  for (const email of ['', 'ada', `${'a'.repeat(600)}@example.com`]) {
    expect((await send(phones, { email })).body).toEqual({ success: true });
    expect((await verify(phones, { email, code: '123456' })).body).toEqual(invalidCode);
  }
  await phones.service.idle();
  expect(phones.sink.requests).toEqual([]);
});
