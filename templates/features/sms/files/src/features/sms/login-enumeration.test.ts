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
import { startSingleInstance } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const MINUTE = 60_000;

/** Somebody with a living code, with a phone, without a phone, and nobody. */
async function fourPeople(phones: Phones): Promise<string[]> {
  const withCode = (await signInWithPhone(phones)).user.email;
  const withPhone = (await signInWithPhone(phones)).user.email;
  const without = (await signInAs(phones.service)).user.email;
  await requestTextedCode(phones, withCode);
  return [withCode, withPhone, without, 'nobody@example.com'];
}

test('enumeration by answer: neither route tells who has an account, or a phone', async () => {
  const phones = await startTextingService();
  const people = await fourPeople(phones);
  const wrong = await phones.wrongCode();
  const client = nativeClient(phones.service);

  for (const [path, status] of [
    ['/sms/send', 200],
    ['/sms/verify', 400],
  ] as const) {
    const ask = (email: string) => client.post(path, { email, code: wrong });
    const answers = await Promise.all(people.map(ask));
    expect(answers.map((answer) => answer.status)).toEqual(Array(4).fill(status));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => [...headers.keys()].join())).size).toBe(1);
  }
});

test('a user id that is unknown, or none at all, is answered like any other', async () => {
  const { service, sink } = await startTextingService();
  const client = nativeClient(service);

  for (const userId of [crypto.randomUUID(), 'nonsense', "' or 1=1 --", 'ünïcödé']) {
    expect((await client.post('/sms/send', { userId })).body).toEqual({ success: true });
    const { status, body } = await client.post('/sms/verify', { userId, code: '123456' });
    expect([status, body.code]).toEqual([400, 'INVALID_SMS_CODE']);
  }
  await service.idle();
  expect(sink.requests).toEqual([]);
});

test('enumeration by time: the answer to a wish for a code waits for nothing', async () => {
  const phones = await startTextingService({}, startSingleInstance);
  const { user } = await signInWithPhone(phones);
  const findByEmail = vi.spyOn(phones.service.services.users, 'findByEmail');
  const lookUp = closedGate();
  findByEmail.mockImplementation(async () => {
    await lookUp.opened;
    return user;
  });

  const { status } = await nativeClient(phones.service).post('/sms/send', { email: user.email });

  expect([status, phones.sink.requests.length]).toEqual([200, 1]);
  await vi.waitFor(() => expect(findByEmail).toHaveBeenCalled());
  lookUp.open();
  await vi.waitFor(() => expect(phones.sink.requests).toHaveLength(2));
});

test('enumeration by time: a wrong code is refused after a full step, whoever it is for', async () => {
  const phones = await startTextingService();
  const people = await fourPeople(phones);
  const code = await phones.wrongCode();

  for (const email of people) {
    const start = performance.now();
    await nativeClient(phones.service).post('/sms/verify', { email, code });
    // Timers may fire up to a millisecond early.
    expect(performance.now() - start).toBeGreaterThan(98);
  }
});

test('a failed guess is told to listeners, without the code', async () => {
  const phones = await startTextingService();
  const { user } = await signInWithPhone(phones);
  await requestTextedCode(phones, user.email);
  const code = await phones.wrongCode();

  await nativeClient(phones.service).post('/sms/verify', { email: user.email, code });

  const failed = (await phones.service.events()).filter(
    ({ event }) => event === 'identity.auth.login.failed',
  );
  expect(failed).toMatchObject([
    {
      data: { method: 'sms', reason: 'invalid-code', email: user.email },
      metadata: { userId: user.id },
    },
  ]);
  expect(JSON.stringify(failed)).not.toContain(`"${code}"`);
});

test('text bombing: a minute between two texts, three an hour, for known and unknown alike', async () => {
  const phones = await startTextingService({ RATE_LIMIT: 'on' }, startSingleInstance);
  const { user } = await signInWithPhone(phones);
  phones.service.advance(60 * MINUTE);
  const client = nativeClient(phones.service);

  for (const email of [user.email, 'nobody@example.com']) {
    const ask = () => client.post('/sms/send', { email });
    for (let text = 1; text <= 3; text++) {
      expect((await ask()).status).toBe(200);
      const tooSoon = await ask();
      expect([tooSoon.status, tooSoon.body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(tooSoon.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      await phones.service.idle();
      phones.service.advance(MINUTE + 1000);
    }
    expect((await ask()).status).toBe(429);
  }
  expect(phones.sink.requests).toHaveLength(4);
});

test('text bombing: the two names of an account share its allowance', async () => {
  const phones = await startTextingService({ RATE_LIMIT: 'on' }, startSingleInstance);
  const { user } = await signInWithPhone(phones);
  phones.service.advance(60 * MINUTE);
  const client = nativeClient(phones.service);

  for (const who of [{ email: user.email }, { userId: user.id }]) {
    for (let text = 1; text <= 3; text++) {
      expect((await client.post('/sms/send', who)).body).toEqual({ success: true });
      await phones.service.idle();
      phones.service.advance(MINUTE + 1000);
    }
  }

  expect(phones.sink.requests).toHaveLength(1 + 3);
});

test('text bombing: ten texts an hour from one address of the network', async () => {
  const { service } = await startTextingService({ RATE_LIMIT: 'on' });
  const client = nativeClient(service);
  const ask = (nth: number) => client.post('/sms/send', { email: `somebody${nth}@example.com` });

  for (let nth = 1; nth <= 10; nth++) expect((await ask(nth)).status).toBe(200);

  const eleventh = await ask(11);
  expect([eleventh.status, eleventh.body.code]).toEqual([429, 'RATE_LIMITED']);
});

test.each([
  ['nobody', {}],
  ['null', { email: null }],
  ['a number', { userId: 1 }],
  ['a list', { email: ['ada@example.com'] }],
  ['an empty address', { email: '' }],
  ['an empty id', { userId: '' }],
  ['endless', { email: `${'a'.repeat(600)}@example.com` }],
  ['cut by NUL', { email: 'ada@example.com\0' }],
])('a request that names %s is a mistake', async (_name, who) => {
  const { service } = await startTextingService();

  for (const path of ['/sms/send', '/sms/verify']) {
    const answer = await nativeClient(service).post(path, { ...who, code: '123456' });
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  }
});
