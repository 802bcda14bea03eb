import { expect, test } from 'vitest';
import { password as feature } from '../src/features/password/feature.js';
import { mail } from '../src/mail/feature.js';
import { browser, nativeClient } from './client.js';
import {
  createPasswordAccount,
  type PasswordAccount,
  requestResetToken,
  signInWithPassword,
} from './flows/password.js';
import { startTestService, type TestService } from './service.js';

const { points, seconds } = feature.limits.loginOfAccount;
const DAY = 24 * 60 * 60 * 1000;
const GUESS = 'a guess';

function startBehindProxy() {
  return startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
}

let last = 0;

/** Each request comes from a different IP address (RFC 2544). */
function anywhere() {
  last += 1;
  return { 'x-forwarded-for': `198.18.${Math.floor(last / 250)}.${last % 250}` };
}

async function knownBrowser(service: TestService, account: PasswordAccount) {
  const client = browser(service);
  expect((await client.post('/login', account, anywhere())).status).toBe(200);
  return client;
}

/** A stranger guesses until the address is locked. */
async function lock(service: TestService, email: string) {
  const guess = { email, password: GUESS };
  for (let nth = 0; nth <= points; nth++) {
    await nativeClient(service).post('/login', guess, anywhere());
  }
  expect((await nativeClient(service).post('/login', guess, anywhere())).status).toBe(429);
}

const signIn = async (client: ReturnType<typeof browser>, account: object) =>
  (await client.post('/login', account, anywhere())).status;

test('guessing: a known browser has as few guesses as a stranger, and takes none from the owner elsewhere', async () => {
  const service = await startBehindProxy();
  const account = await createPasswordAccount(service);
  const thief = await knownBrowser(service, account);
  const statuses: number[] = [];
  for (let nth = 0; nth <= points; nth++) {
    statuses.push(await signIn(thief, { ...account, password: GUESS }));
  }
  expect(statuses).toEqual([...Array(points).fill(401), 429]);
  expect(await signIn(thief, account)).toBe(429);
  expect(await signIn(browser(service), account)).toBe(200);
  // A correct password resets the browser's own count.
  service.advance(seconds * 1000 + 1000);
  for (let nth = 1; nth < points; nth++) await signIn(thief, { ...account, password: GUESS });
  expect(await signIn(thief, account)).toBe(200);
  expect(await signIn(thief, { ...account, password: GUESS })).toBe(401);
});

test('two people, one browser: each keeps what is theirs, and logging out keeps both', async () => {
  const service = await startBehindProxy();
  const [ada, bob] = [await createPasswordAccount(service), await createPasswordAccount(service)];
  const shared = await knownBrowser(service, ada);
  await shared.post('/logout', {}, anywhere());
  expect(await signIn(shared, bob)).toBe(200);
  await shared.post('/logout', {}, anywhere());
  await lock(service, ada.email);
  await lock(service, bob.email);
  expect(await signIn(shared, ada)).toBe(200);
  // Each user has a count of their own.
  for (let nth = 0; nth <= points; nth++) await signIn(shared, { ...ada, password: GUESS });
  expect(await signIn(shared, bob)).toBe(200);
});

test('enumeration: what a stranger reads of a limit is the same for an account whose owner signs in meanwhile', async () => {
  const service = await startBehindProxy();
  const account = await createPasswordAccount(service);
  const own = await knownBrowser(service, account);
  service.advance(seconds * 1000 + 1000);
  const seen = async (email: string, meanwhile: () => Promise<unknown>) => {
    const headers: (string | null)[][] = [];
    for (let nth = 0; nth <= points; nth++) {
      const guess = { email, password: GUESS };
      const answer = await nativeClient(service).post('/login', guess, anywhere());
      const names = ['ratelimit-limit', 'ratelimit-remaining'];
      headers.push([String(answer.status), ...names.map((name) => answer.headers.get(name))]);
      if (nth < points - 1) await meanwhile();
    }
    return headers;
  };
  const unknown = await seen('nobody@example.com', async () => {});
  const signedIn = await seen(account.email, async () => {
    expect(await signIn(own, account)).toBe(200);
    expect(await signIn(browser(service), account)).toBe(200);
  });
  expect(signedIn).toEqual(unknown);
});

test('mail bombing: strangers cannot use up the reset links that a known browser asks for', async () => {
  const service = await startBehindProxy();
  const account = await createPasswordAccount(service);
  const { email } = account;
  const own = await knownBrowser(service, account);
  const ask = async (client: ReturnType<typeof browser>) =>
    (await client.post('/forgot-password', { email }, anywhere())).status;
  const { points: mails } = mail.limits.mailsOfAccount;
  const strangers: number[] = [];
  for (let nth = 0; nth <= mails; nth++) {
    strangers.push(await ask(browser(service)));
    service.advance(61_000);
  }
  expect(strangers).toEqual([...Array(mails).fill(200), 429]);
  expect([await ask(own), await ask(own)]).toEqual([200, 429]);
});

test('attack: the cookie of another account, an expired one and a forged one count for nothing', async () => {
  const service = await startBehindProxy();
  const [ada, bob] = [await createPasswordAccount(service), await createPasswordAccount(service)];
  const own = await knownBrowser(service, ada);
  const others = await knownBrowser(service, bob);
  await lock(service, ada.email);
  const cookie = own.cookies.get('device') ?? '';
  const [head, claims, mac] = cookie.split('.');
  for (const value of [
    others.cookies.get('device') ?? '',
    `${head}.${claims}.${mac?.split('').reverse().join('')}`,
    `${head}.${claims}.`,
    own.cookies.get('accessToken') ?? '',
    own.cookies.get('refreshToken') ?? '',
    `~~~${cookie}`,
    '',
  ]) {
    const stranger = browser(service);
    stranger.cookies.set('device', value);
    expect(await signIn(stranger, ada)).toBe(429);
  }
  service.advance(91 * DAY);
  await lock(service, ada.email);
  expect(await signIn(own, ada)).toBe(429);
});

test('the cookie stays when its user signs out, and goes with the account', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await knownBrowser(service, account);
  await client.post('/logout');
  expect(client.cookies.has('device')).toBe(true);
  await client.post('/login', account);
  expect((await client.delete('/account')).status).toBe(200);
  expect(client.cookies.has('device')).toBe(false);
  const native = await signInWithPassword(service, await createPasswordAccount(service));
  expect((await native.delete('/account')).setCookies).toEqual([]);
});

test('the cookie is sent to the routes of the service alone, so that no other handler can leak it', async () => {
  const service = await startTestService({ AUTH_PREFIX: '/auth' });
  const account = await createPasswordAccount(service);
  const { setCookies } = await browser(service).post('/login', account);
  expect(setCookies.find(({ name }) => name === 'device')?.path).toBe('/auth');
});

test('attack: the cookie alone gives no access, and says nothing of an account', async () => {
  const service = await startBehindProxy();
  const account = await createPasswordAccount(service);
  const device = (await knownBrowser(service, account)).cookies.get('device') ?? '';
  const thief = browser(service);
  thief.cookies.set('device', device);
  for (const path of ['/me', '/sessions']) expect((await thief.get(path)).status).toBe(401);
  expect((await thief.post('/refresh')).status).toBe(401);
  const asBearer = nativeClient(service, device);
  expect((await asBearer.get('/me')).body.code).toBe('INVALID_TOKEN');
  expect((await asBearer.post('/refresh', { refreshToken: device })).status).toBe(401);
  expect(device).not.toContain(account.email);
});

test('locking others out: whoever resets the password signs in with it, locked or not', async () => {
  const service = await startBehindProxy();
  const { email } = await createPasswordAccount(service);
  const token = await requestResetToken(service, email);
  await lock(service, email);
  const own = browser(service);
  const newPassword = 'a password that is new';
  expect((await own.post('/reset-password', { token, newPassword }, anywhere())).status).toBe(200);
  expect(await signIn(own, { email, password: newPassword })).toBe(200);
  expect(await signIn(browser(service), { email, password: newPassword })).toBe(429);
});

test('a browser keeps the three accounts of its latest sign-ins: with more, its cookie would outgrow a header', async () => {
  const service = await startBehindProxy();
  const shared = browser(service);
  for (let nth = 0; nth < 4; nth++) await signIn(shared, await createPasswordAccount(service));
  expect(shared.cookies.get('device')?.split('~')).toHaveLength(3);
});
