import { expect, test } from 'vitest';
import { openChallenge } from '../src/features/second-factor/challenge.js';
import { type Answer, browser, nativeClient } from './client.js';
import { createPasswordAccount, signInWithPassword } from './flows/password.js';
import { signInWithPhone, startTextingService } from './flows/sms.js';
import { authenticatorCode, enrolTotp } from './flows/totp.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

// The limits as emitted. Teams change the numbers, so emitted tests do not name them.

const MINUTE = 60_000;
const ADA = '+4915112345678';
const NEW = 'new@example.com';

/** Calls `ask` `points` times, a minute apart: it works, but not twice within the minute. Then it is refused. */
async function useUp(service: TestService, points: number, ask: () => Promise<Answer>) {
  for (let nth = 1; nth <= points; nth++) {
    expect((await ask()).status).toBe(200);
    const tooSoon = await ask();
    expect([tooSoon.status, tooSoon.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(tooSoon.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await service.idle();
    service.advance(MINUTE + 1000);
  }
  const last = await ask();
  expect(last.status).toBe(429);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(50 * 60);
}

test('the 601st request of an address within a minute is refused', async () => {
  const client = browser(await startTestService({ RATE_LIMIT: 'on' }));
  const statuses: number[] = [];
  for (let batch = 0; batch < 12; batch++) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.get('/me')));
    statuses.push(...answers.map(({ status }) => status));
  }
  expect(new Set(statuses)).toEqual(new Set([401]));
  const { status, body } = await client.get('/me');
  expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
  // Probes and signing out are never limited.
  expect((await client.post('/logout')).status).toBe(200);
});

const ACCOUNT = { email: 'ada@example.com', password: 'correct horse battery staple' };

test('mass registration: an address of the network gets twenty tries an hour', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const client = nativeClient(service);
  // The limit counts attempts: one account followed only by conflicts uses it up too.
  const register = () => client.post('/register', ACCOUNT);

  const answers = await Promise.all(Array.from({ length: 22 }, register));

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(3500);

  service.advance(60 * MINUTE + 1000);
  expect((await register()).status).toBe(409);
});

test.each(['/forgot-password', '/magic-link/send'])(
  'mail bombing by %s: a minute between two mails, five an hour, for known and unknown alike',
  async (path) => {
    const service = await startTestService({ RATE_LIMIT: 'on' });
    const { user } = await signInAs(service);
    const client = nativeClient(service);
    for (const email of [user.email, 'nobody@example.com']) {
      await useUp(service, 5, () => client.post(path, { email }));
    }
    service.advance(60 * MINUTE);
    expect((await client.post(path, { email: user.email })).status).toBe(200);
    expect((await service.mails()).map(({ to }) => to)).toEqual(Array(6).fill(user.email));
  },
);

test('mail bombing: many accounts that want to move to one address do not flood it', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const [{ client }, { client: other }] = [await signInAs(service), await signInAs(service)];
  const statuses: number[] = [];
  for (const each of [client, client, other]) {
    statuses.push((await each.post('/change-email/request', { newEmail: NEW })).status);
  }
  expect(statuses).toEqual([200, 429, 200]);
  expect(await service.mails()).toHaveLength(1);
});

test('mail bombing: one account cannot have links mailed to many strangers', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const { client } = await signInAs(service);
  const statuses: number[] = [];
  for (const email of ['one@example.com', 'two@example.com']) {
    statuses.push((await client.post('/link-request', { email })).status);
  }
  expect(statuses).toEqual([200, 429]);
  expect(await service.mails()).toHaveLength(1);
});

test('one client is counted once, however its address is written, and a /64 network is one client', async () => {
  const { services } = await startTestService({ RATE_LIMIT: 'on' });
  const remaining = async (ip: string) =>
    (await services.limiter.consume([['perIp', ip]]))?.remaining;
  expect(await remaining('203.0.113.7')).toBe(599);
  expect(await remaining('::ffff:203.0.113.7')).toBe(598);
  expect(await remaining('2001:db8::1')).toBe(599);
  expect(await remaining('2001:DB8:0:0:ffff::2')).toBe(598);
  expect(await remaining('2001:db8:0:1::1')).toBe(599);
});

test('text that Node takes for an IP address, and others do not, is an unknown address like any other', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  const client = nativeClient(service);
  for (const text of ['::1.2.3.4', '64:ff9b::1.2.3.4', 'fe80::1%0.1']) {
    const login = { email: text, password: 'a guess' };
    const behind = { 'x-forwarded-for': text };
    expect((await client.post('/login', login, behind)).body.code).toBe('INVALID_CREDENTIALS');
    for (const path of ['/forgot-password', '/magic-link/send', '/sms/send']) {
      expect([path, (await client.post(path, { email: text })).status]).toEqual([path, 200]);
    }
  }
});

test('text bombing: a minute between two texts, three an hour, for known and unknown alike', async () => {
  const { service, ...phones } = await startTextingService({ RATE_LIMIT: 'on' });
  const { user } = await signInWithPhone({ service, ...phones });
  service.advance(60 * MINUTE);
  const send = (who: object) => nativeClient(service).post('/sms/send', who);
  // Address and id name the same account and share its limit.
  for (const who of [{ email: user.email }, { userId: user.id }]) {
    await useUp(service, 3, () => send(who));
  }
  expect(phones.sink.requests).toHaveLength(1 + 3);
  service.advance(60 * MINUTE);
  await useUp(service, 3, () => send({ email: 'nobody@example.com' }));
});

test('text bombing: ten texts an hour from one IP address', async () => {
  const { service } = await startTextingService({ RATE_LIMIT: 'on' });
  const ask = (nth: number) =>
    nativeClient(service).post('/sms/send', { email: `somebody${nth}@example.com` });
  for (let nth = 1; nth <= 10; nth++) expect((await ask(nth)).status).toBe(200);
  expect((await ask(11)).body.code).toBe('RATE_LIMITED');
});

test('text bombing: a number that is being added; a typing error costs nothing', async () => {
  const { service, sink } = await startTextingService({ RATE_LIMIT: 'on' });
  const { client } = await signInAs(service);
  await useUp(service, 3, async () => {
    const wrong = await client.post('/add-phone', { phoneNumber: '+49' });
    expect(wrong.body.code).toBe('INVALID_PHONE_NUMBER');
    return client.post('/add-phone', { phoneNumber: ADA });
  });
  expect((await client.post('/add-phone', { phoneNumber: null })).status).toBe(200);
  await service.idle();
  expect(sink.requests).toHaveLength(3);
});

test('text bombing: many accounts from many addresses do not flood one phone', async () => {
  const { service, sink } = await startTextingService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  const statuses: number[] = [];
  for (let nth = 1; nth <= 6; nth++) {
    const { client } = await signInAs(service);
    const from = { 'x-forwarded-for': `203.0.113.${nth}` };
    statuses.push((await client.post('/add-phone', { phoneNumber: ADA }, from)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  await service.idle();
  expect(sink.requests).toHaveLength(5);
});

test('text bombing: the second step counts among the texts of the account', async () => {
  const phones = await startTextingService({ RATE_LIMIT: 'on' });
  const { service } = phones;
  const { user } = await signInWithPhone(phones);
  const tempToken = await openChallenge(service.services, {
    userId: user.id,
    method: 'local',
    confirm: async () => {},
  });
  // Adding the phone was the first of three.
  await useUp(service, 2, () =>
    nativeClient(service).post('/sms/send', { mode: '2fa', tempToken }),
  );
});

test('guessing: a stolen session has five tries at the password', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);
  const change = (currentPassword: string) =>
    client.post('/change-password', { currentPassword, newPassword: 'a password that is new' });
  for (let nth = 0; nth < 5; nth++) expect((await change('a guess')).status).toBe(400);

  const { status, body, headers } = await change(account.password);
  expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(290);

  service.advance(5 * MINUTE + 1000);
  expect((await change(account.password)).status).toBe(200);
});

test('a right current password gives the mistyped ones back', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);
  const change = async (currentPassword: string) =>
    (await client.post('/change-password', { currentPassword, newPassword: account.password }))
      .status;
  for (let nth = 0; nth < 4; nth++) expect(await change('mistyped')).toBe(400);

  expect(await change(account.password)).toBe(200);

  for (let nth = 0; nth < 4; nth++) expect(await change('mistyped')).toBe(400);
  expect(await change(account.password)).toBe(200);
});

/** A user with a password and an authenticator app, behind a proxy. */
async function startProtected() {
  const service = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  const account = await createPasswordAccount(service);
  const { secret } = await enrolTotp(await signInAs(service, { email: account.email }));
  service.advance(MINUTE);
  /** Signs in with the password, then guesses codes; every sign-in from a different IP address. */
  async function guess(at: number, count: number) {
    const client = nativeClient(service);
    const from = { 'x-forwarded-for': `203.0.113.${at}` };
    const { tempToken } = (await client.post('/login', account, from)).body;
    const codes: string[] = [];
    for (let nth = 0; nth < count; nth++) {
      const { body } = await client.post('/2fa/verify', { tempToken, totpCode: 'no code' }, from);
      codes.push(body.code);
    }
    return { tempToken, codes };
  }
  const right = (tempToken: string) =>
    nativeClient(service).post('/2fa/verify', { tempToken, totpCode: authenticatorCode(secret) });
  return { service, guess, right };
}

test('guessing: a new sign-in with the password gives no further tries at the code', async () => {
  const { guess, right } = await startProtected();
  const wrong = Array(5).fill('INVALID_TOTP_CODE');
  expect((await guess(1, 5)).codes).toEqual(wrong);
  expect((await guess(2, 5)).codes).toEqual(wrong);

  const third = await guess(3, 1);
  expect(third.codes).toEqual(['RATE_LIMITED']);

  // A correct code is refused too: the response would otherwise tell it from a wrong one.
  const answer = await right(third.tempToken);
  expect([answer.status, answer.body.code]).toEqual([429, 'RATE_LIMITED']);
});

test('a right code resets the count, and the wait ends', async () => {
  const { service, guess, right } = await startProtected();
  for (const minutes of [0, 20]) {
    service.advance(minutes * MINUTE);
    await guess(minutes, 5);
    const { tempToken } = await guess(minutes + 1, 4);
    expect((await right(tempToken)).status).toBe(200);
  }
  await guess(2, 5);
  await guess(3, 5);
  expect((await guess(4, 1)).codes).toEqual(['RATE_LIMITED']);
  service.advance(16 * MINUTE);
  expect((await guess(5, 1)).codes).toEqual(['INVALID_TOTP_CODE']);
});

test('guessing: four wrong texted codes do not void the right one; lock-outs.test.ts proves that five do', async () => {
  const phones = await startTextingService();
  const { email } = (await signInWithPhone(phones)).user;
  const client = nativeClient(phones.service);
  await client.post('/sms/send', { email });
  const [right, wrong] = [await phones.lastCode(), await phones.wrongCode()];
  for (let nth = 0; nth < 4; nth++) await client.post('/sms/verify', { email, code: wrong });
  expect((await client.post('/sms/verify', { email, code: right })).status).toBe(200);
});
