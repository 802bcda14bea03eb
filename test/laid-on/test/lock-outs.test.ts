import { expect, test } from 'vitest';
import { browser, type Client, nativeClient } from './client.js';
import { createPasswordAccount, requestResetToken } from './flows/password.js';
import { signInWithPhone, startTextingService } from './flows/sms.js';
import { authenticatorCode, enrolTotp } from './flows/totp.js';
import { startProcess } from './process.js';
import { startTestService, type TestService } from './service.js';
import { type SignedIn, signInAs } from './sign-in-as.js';

// Strangers use up the limits of an address. Its owner can still sign in: in a browser that they have signed in with
// before, and in a session.

const MINUTE = 60_000;
let last = 0;

/** Each request of a botnet comes from a different IP address (RFC 2544). */
function anywhere() {
  last += 1;
  return { 'x-forwarded-for': `198.18.${Math.floor(last / 250)}.${last % 250}` };
}

/** The group of known browsers that the client is in: the first digit of its cookie's id. */
function groupOf({ cookies }: Client): string {
  const [, claims = ''] =
    [...cookies].find(([name]) => name.endsWith('device'))?.[1].split('.') ?? [];
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).jti.slice(0, 1);
}

/** An account with a phone, and a browser that its owner has signed in with before. */
async function startKnown() {
  const phones = await startTextingService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  const { service } = phones;
  const account = await createPasswordAccount(service);
  const signedIn = await signInWithPhone(phones, { email: account.email });
  const own = browser(service);
  expect((await own.post('/login', account, anywhere())).status).toBe(200);
  await own.post('/logout');
  return { phones, service, account, signedIn, own };
}

/** Sends requests until all others are refused. */
async function useUp(service: TestService, client: Client, path: string, body: object) {
  for (let nth = 0; nth < 6; nth++) {
    const { status } = await client.post(path, body, anywhere());
    await service.idle();
    service.advance(MINUTE + 1000);
    if (status === 429) return;
  }
  throw new Error(`${path} is not limited.`);
}

test('locking others out: links and codes that strangers ask for take none from a known browser', async () => {
  const { phones, service, account, own } = await startKnown();
  const { email } = account;
  for (const path of ['/magic-link/send', '/sms/send', '/forgot-password']) {
    await useUp(service, nativeClient(service), path, { email });
    const sent = async () => {
      const { length } = await service.mails();
      return length + phones.sink.requests.length;
    };
    const before = await sent();
    expect([path, (await own.post(path, { email }, anywhere())).status]).toEqual([path, 200]);
    expect(await sent()).toBe(before + 1);
    expect((await own.post(path, { email }, anywhere())).status).toBe(429);
  }
});

test('locking others out: what strangers type as an address is no other limit of the owner', async () => {
  const { phones, service, account, signedIn, own } = await startKnown();
  const { email } = account;
  const { id } = signedIn.user;
  const stranger = nativeClient(service);
  const groups = Array.from({ length: 16 }, (_, group) => `${id}:${group.toString(16)}`);
  for (const typed of groups) {
    for (let nth = 0; nth < 6; nth++) {
      await stranger.post('/login', { email: typed, password: 'a guess' }, anywhere());
    }
  }
  await useUp(service, stranger, '/forgot-password', { email: id });
  const asked = await signedIn.client.post('/change-email/request', { newEmail: 'b@b.example' });
  expect(asked.status).toBe(200);
  for (const typed of [`notice:${email}`, `known:${id}`]) {
    for (const path of ['/magic-link/send', '/sms/send', '/forgot-password']) {
      await useUp(service, stranger, path, { email: typed });
    }
  }
  await useUp(service, stranger, '/sms/send', { userId: `known:${id}` });
  await useUp(service, stranger, '/forgot-password', { email: `notice:${email}` });

  expect((await own.post('/login', account, anywhere())).status).toBe(200);
  for (const path of ['/magic-link/send', '/sms/send', '/forgot-password']) {
    expect([path, (await own.post(path, { email }, anywhere())).status]).toEqual([path, 200]);
  }
  const { length } = await service.mails();
  await service.services.mails.add('passwordChanged', { email, url: 'http://app.test' });
  expect(await service.mails()).toHaveLength(length + 1);
  expect(phones.sink.requests.length).toBeGreaterThan(0);
});

test('guessing: no spelling of an address has guesses of its own', async () => {
  const { account, service } = await startKnown();
  const [name, domain = ''] = account.email.split('@');
  const client = nativeClient(service);
  for (let nth = 0; nth < 5; nth++) {
    await client.post('/login', { ...account, password: 'a guess' }, anywhere());
  }
  // Punycode of Punycode, once and twice, which is no other spelling of the domain.
  for (const depth of [0, 1, 2]) {
    const labels = domain
      .split('.')
      .map((label) => `${'xn--'.repeat(depth)}${label}${'-'.repeat(depth)}`);
    const email = `${name}@${labels.join('.')}`;
    const { status } = await client.post('/login', { ...account, email }, anywhere());
    expect([email, status]).toEqual([email, depth === 0 ? 429 : 401]);
  }
});

test('locking others out: wrong texted codes of strangers do not void the code for a known browser', async () => {
  const { phones, service, account, own } = await startKnown();
  const { email } = account;
  await own.post('/sms/send', { email }, anywhere());
  const [code, wrong] = [await phones.lastCode(), await phones.wrongCode()];
  const stranger = nativeClient(service);
  for (let nth = 0; nth < 5; nth++) {
    await stranger.post('/sms/verify', { email, code: wrong }, anywhere());
  }
  expect((await stranger.post('/sms/verify', { email, code }, anywhere())).status).toBe(400);
  expect((await own.post('/sms/verify', { email, code }, anywhere())).status).toBe(200);
});

test('guessing: a known browser has five guesses at a texted code as well', async () => {
  const { phones, account, own } = await startKnown();
  const { email } = account;
  await own.post('/sms/send', { email }, anywhere());
  const [code, wrong] = [await phones.lastCode(), await phones.wrongCode()];
  for (let nth = 0; nth < 5; nth++) await own.post('/sms/verify', { email, code: wrong });
  expect((await own.post('/sms/verify', { email, code })).status).toBe(400);
});

test('locking others out: a signed-in user gets mails and texts, whatever strangers ask for', async () => {
  const { service, account, signedIn } = await startKnown();
  const { email } = account;
  const stranger = nativeClient(service);
  await useUp(service, stranger, '/forgot-password', { email });
  await useUp(service, stranger, '/sms/send', { email });
  const { client } = signedIn;
  const newEmail = 'ada@elsewhere.example';
  expect((await client.post('/change-email/request', { newEmail })).status).toBe(200);
  expect((await client.post('/add-phone', { phoneNumber: '+4915199999999' })).status).toBe(200);
});

test.each([
  ['/link-request', 'email'],
  ['/change-email/request', 'newEmail'],
])(
  'locking others out: %s of other accounts takes no reset link and no magic link from the owner',
  async (path, field) => {
    const service = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
    const { email } = await createPasswordAccount(service);
    const mailed = async () => (await service.mails()).filter(({ to }) => to === email);
    for (let nth = 0; nth < 6; nth++) {
      const { client } = await signInAs(service);
      await client.post(path, { [field]: email });
      service.advance(MINUTE + 1000);
    }
    expect(await mailed()).toHaveLength(5);
    for (const own of ['/forgot-password', '/magic-link/send']) {
      expect((await browser(service).post(own, { email }, anywhere())).status).toBe(200);
    }
    expect((await mailed()).filter(({ text }) => text.includes('token='))).toHaveLength(2);
  },
);

test('mail bombing: whoever signs in many times has no more mails and texts than with one browser', async () => {
  const { phones, service, account } = await startKnown();
  const { email } = account;
  const sent = async () => (await service.mails()).length + phones.sink.requests.length;
  for (const path of ['/forgot-password', '/sms/send']) {
    const before = await sent();
    for (let nth = 0; nth < 4; nth++) {
      const client = browser(service);
      await client.post('/login', account, anywhere());
      await client.post(path, { email }, anywhere());
      await service.idle();
    }
    expect([path, await sent()]).toEqual([path, before + 1]);
  }
});

test('locking others out: whoever has once signed in uses up no guess of another known browser', async () => {
  const { phones, service, account } = await startKnown();
  const { email } = account;
  const owner = browser(service);
  await owner.post('/login', account, anywhere());
  // In another group of known browsers.
  let thief: Client;
  do {
    thief = browser(service);
    await thief.post('/login', account, anywhere());
  } while (groupOf(thief) === groupOf(owner));
  await owner.post('/sms/send', { email }, anywhere());
  const [code, wrong] = [await phones.lastCode(), await phones.wrongCode()];
  for (let nth = 0; nth < 6; nth++) {
    await thief.post('/login', { email, password: 'a wrong one' }, anywhere());
    await thief.post('/sms/verify', { email, code: wrong }, anywhere());
  }
  expect((await thief.post('/login', account, anywhere())).status).toBe(429);
  expect((await owner.post('/login', account, anywhere())).status).toBe(200);
  expect((await owner.post('/sms/verify', { email, code }, anywhere())).status).toBe(200);
});

test('guessing: whoever has signed in many times has no more guesses than 16 browsers', async () => {
  const { service, account } = await startKnown();
  const thieves = Array.from({ length: 40 }, () => browser(service));
  for (const thief of thieves) await thief.post('/login', account, anywhere());
  const guess = { email: account.email, password: 'a wrong one' };
  const compared = new Map<string, number>();
  for (const thief of thieves) {
    for (let nth = 0; nth < 5; nth++) {
      const group = groupOf(thief);
      const { status } = await thief.post('/login', guess, anywhere());
      compared.set(group, (compared.get(group) ?? 0) + Number(status === 401));
    }
  }
  expect(new Set(compared.values())).toEqual(new Set([5]));
  expect(compared.size).toBeLessThanOrEqual(16);
});

test('locking others out: wrong codes of somebody with the password keep no known browser from the second step', async () => {
  const { service, account, own } = await startKnown();
  await own.post('/login', account, anywhere());
  const { secret } = await enrolTotp({ client: own } as SignedIn);
  const answer = async (client: Client, totpCode: string) => {
    service.advance(MINUTE);
    const { tempToken } = (await client.post('/login', account, anywhere())).body;
    return client.post('/2fa/verify', { tempToken, totpCode }, anywhere());
  };
  const thief = nativeClient(service);
  const statuses: number[] = [];
  for (let nth = 0; nth < 12; nth++) statuses.push((await answer(thief, '000000')).status);
  expect(statuses.at(-1)).toBe(429);
  const [early, late] = [await answer(thief, authenticatorCode(secret, 2)), own];
  expect(early.status).toBe(429);
  expect((await answer(late, authenticatorCode(secret, 2))).status).toBe(200);
});

test('locking others out: whoever resets the password by the mailbox alone uses up no second step of a known browser', async () => {
  const { service, account, own } = await startKnown();
  await own.post('/login', account, anywhere());
  await enrolTotp({ client: own } as SignedIn);
  const thief = browser(service);
  const token = await requestResetToken(service, account.email);
  const newPassword = 'a password that is new';
  const reset = await thief.post('/reset-password', { token, newPassword }, anywhere());
  expect(reset.status).toBe(200);
  expect(thief.cookies.has('device')).toBe(false);
});

test('mail bombing: five notices an hour, a minute between two of one kind; the others wait', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const { user } = await signInAs(service);
  const { mails } = service.services;
  const told = async () => (await service.mails()).filter(({ to }) => to === user.email).length;
  for (let nth = 0; nth < 3; nth++) await mails.add('totpEnabled', { email: user.email });
  expect(await told()).toBe(1);
  for (let minute = 0; minute < 8; minute++) {
    await mails.add('totpDisabled', { email: user.email });
    service.advance(2 * MINUTE);
    await told();
  }
  expect(await told()).toBe(5);
  service.advance(45 * MINUTE);
  expect(await told()).toBeGreaterThan(5);
});

test('attack: strangers who use up the mails of an address keep no notice from its owner, nor see one', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  const { user } = await signInAs(service);
  const stranger = nativeClient(service);
  const remaining = async (email: string) => {
    const { headers } = await stranger.post('/forgot-password', { email }, anywhere());
    service.advance(MINUTE + 1000);
    return headers.get('ratelimit-remaining');
  };
  await service.services.mails.add('totpEnabled', { email: user.email });
  expect((await service.mails()).map(({ name }) => name)).toEqual(['totpEnabled']);
  expect(await remaining(user.email)).toBe(await remaining('nobody@example.com'));
  await useUp(service, stranger, '/forgot-password', { email: user.email });
  await service.services.mails.add('totpDisabled', { email: user.email });
  expect((await service.mails()).at(-1)?.name).toBe('totpDisabled');
});

test('enumeration and mail bombing: twenty links an hour from one IP address, for whatever accounts', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const client = nativeClient(service);
  for (const path of ['/forgot-password', '/magic-link/send']) {
    const statuses: number[] = [];
    for (let nth = 0; nth < 21; nth++) {
      statuses.push((await client.post(path, { email: `${nth}@example.com` })).status);
    }
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
  }
});

const secret = { token: 'f'.repeat(64), tempToken: 'x', code: '123456', totpCode: '123456' };

test.each([
  ['POST', '/reset-password'],
  ['GET', '/verify-email?token=x'],
  ['POST', '/change-email/confirm'],
  ['POST', '/link-verify'],
  ['POST', '/magic-link/verify'],
  ['POST', '/sms/verify'],
  ['POST', '/2fa/verify'],
  ['GET', '/oauth/google'],
])('guessing: %s %s takes sixty requests a minute from one IP address', async (method, path) => {
  const service = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  const body = { ...secret, email: 'a@example.com', newPassword: 'a password that is new' };
  const ask = (ip: string) =>
    nativeClient(service).send(method, path, method === 'GET' ? undefined : body, {
      'x-forwarded-for': ip,
    });
  const answers = await Promise.all(Array.from({ length: 62 }, () => ask('198.51.100.7')));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  expect((await ask('198.51.100.8')).status).not.toBe(429);
});

test('every public route that can refuse is counted by IP address', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  const { resources } = service.services;
  const routes = resources.flatMap((resource) => resource.routes);
  const counted = routes.filter(({ access, neverRefuses }) => access === 'public' && !neverRefuses);
  expect(counted.length).toBeGreaterThan(15);
  for (const { method, path } of counted) {
    const { headers } = await fetch(service.url + path.replaceAll(/:\w+/g, 'x'), {
      method,
      redirect: 'manual',
      headers: anywhere(),
    });
    expect([path, headers.has('ratelimit-limit')]).toEqual([path, true]);
  }
});

test('F-11 race: of 200 wrong passwords at once, at two processes on one database, five are compared', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  const { email } = await createPasswordAccount(service);
  // The port is in its log.
  const environment = { ...service.environment, LOG_LEVEL: 'info' };
  const processes = await Promise.all([startProcess(environment), startProcess(environment)]);
  const urls = await Promise.all(processes.map((started) => started.ready()));
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, nth) => {
      const { status } = await fetch(`${urls[nth % 2]}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...anywhere() },
        body: JSON.stringify({ email, password: 'a guess' }),
      });
      return status;
    }),
  );
  const count = (status: number) => answers.filter((each) => each === status).length;
  // If a count takes a second on a busy machine, each process counts alone for a while, and its log says so.
  const isAlone = processes.some((started) => started.output().includes('counted in memory'));
  // A busy service may answer one of the five with 503.
  expect(count(401) + count(503)).toBe(isAlone ? 200 - count(429) : 5);
  expect(count(429)).toBeGreaterThanOrEqual(isAlone ? 185 : 195);
  expect(count(401)).toBeGreaterThan(0);
});
