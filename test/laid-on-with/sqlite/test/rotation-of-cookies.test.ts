import { expect, test } from 'vitest';
import { countValues } from '../src/features/data-key/sealed-columns.js';
import { password } from '../src/features/password/feature.js';
import { stopWorkers } from '../src/services.js';
import { browser, nativeClient } from './client.js';
import { SECRETS } from './environment.js';
import { passFirstFactor } from './factor.js';
import { createPasswordAccount } from './flows/password.js';
import { authenticatorCode, enrolTotp } from './flows/totp.js';
import { addScript } from './inbound.js';
import { runCommand } from './process.js';
import { addEndpoint } from './receiver.js';
import { startTestService, type TestEnvironment, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const MINUTE = 60_000;

const OLD = {
  ACCESS_TOKEN_SECRET: '5c0e1f83a6d94b72e8170c3fb59d264ae1f70b8c92d63e45a08b7fd19c62e35a',
  REFRESH_TOKEN_SECRET: 'b72d90e4c1863fa57e2094dbc6f81a3507be5d2c81f946a3d0c72e9b58f1a46d',
  DATA_KEY: '81e4f0a7d35c92b6e07f1d48ac93b5620fd9e71c4b8a36d5e2907cf184ab53de',
};

type Name = keyof typeof OLD;
const NAMES: Name[] = ['ACCESS_TOKEN_SECRET', 'REFRESH_TOKEN_SECRET', 'DATA_KEY'];

/** All secrets at one step of a change: `new,old`, for example. */
function secretsAt(step: string): TestEnvironment {
  const listOf = (name: Name) => step.replace('old', OLD[name]).replace('new', SECRETS[name]);
  return Object.fromEntries(NAMES.map((name) => [name, listOf(name)]));
}

/** A service with the old secrets, and a function that restarts it with others. */
async function startOld(variables: TestEnvironment = {}) {
  const before = await startTestService({ ...variables, ...secretsAt('old') });
  const { DATABASE_URL } = before.config;
  const restart = async (running: TestService, step: string) => {
    await stopWorkers(running.services);
    return startTestService({ ...variables, DATABASE_URL, ...secretsAt(step) });
  };
  return { before, restart };
}

const { points, seconds } = password.limits.loginOfAccount;
let last = 0;

/** A different IP address each time (RFC 2544). */
function anywhere() {
  last += 1;
  return { 'x-forwarded-for': `198.18.1.${last}` };
}

test('a browser that is known by its device cookie stays known through a change of the secrets; one that did not come back is a stranger, and not locked out', async () => {
  const { before, restart } = await startOld({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  const account = await createPasswordAccount(before);
  const signIn = async (service: TestService, cookies: Map<string, string>) =>
    (await browser(service, cookies).post('/login', account, anywhere())).status;
  const lock = async (service: TestService) => {
    const guess = { ...account, password: 'a guess' };
    for (let nth = 0; nth <= points; nth++) {
      await nativeClient(service).post('/login', guess, anywhere());
    }
    expect(await signIn(service, new Map())).toBe(429);
  };
  const [daily, rare] = [new Map<string, string>(), new Map<string, string>()];
  for (const cookies of [daily, rare]) expect(await signIn(before, cookies)).toBe(200);

  const prepared = await restart(before, 'old,new');
  await lock(prepared);
  expect(await signIn(prepared, daily)).toBe(200);
  const during = await restart(prepared, 'new,old');
  const held = daily.get('device');
  expect(await signIn(during, daily)).toBe(200);
  // Signed again, with the remaining secret.
  expect(daily.get('device')).not.toBe(held);
  expect(await signIn(during, new Map(rare))).toBe(200);

  const after = await restart(during, 'new');
  expect(await signIn(after, daily)).toBe(200);
  expect(await signIn(after, rare)).toBe(429);
  after.advance(seconds * 1000 * 2 + MINUTE);
  expect(await signIn(after, rare)).toBe(200);
});

test('who registered before a change of the secrets still proves the address in that browser; after it, by a new link once signed in', async () => {
  const { before, restart } = await startOld({ EMAIL_VERIFICATION: 'lazy' });
  const people = ['ada@example.com', 'bob@example.com'].map((email) => ({
    email,
    password: 'correct horse battery staple',
    cookies: new Map<string, string>(),
  }));
  const [ada, bob] = people;
  if (!ada || !bob) throw new Error('There are two.');
  for (const { cookies, ...registration } of people) {
    await browser(before, cookies).post('/register', registration);
    expect(cookies.has('newcomer')).toBe(true);
  }
  const tokens = (await before.mails()).flatMap(({ to, text }) => {
    const [, token] = /verify-email\?token=(\w+)/.exec(text) ?? [];
    return token ? [[to, token] as const] : [];
  });
  const tokenOf = (email: string) => tokens.findLast(([to]) => to === email)?.[1];
  const isProven = async ({ services }: TestService, email: string) =>
    (await services.users.findByEmail(email))?.emailProvenAt !== null;
  const follow = (service: TestService, cookies: Map<string, string>, token = '') =>
    browser(service, cookies).get(`/verify-email?token=${token}`);

  const during = await restart(before, 'new,old');
  expect((await follow(during, ada.cookies, tokenOf(ada.email))).status).toBe(200);
  expect(await isProven(during, ada.email)).toBe(true);

  const after = await restart(during, 'new');
  expect((await follow(after, bob.cookies, tokenOf(bob.email))).status).toBe(200);
  expect(await isProven(after, bob.email)).toBe(false);
  const web = browser(after);
  expect((await web.post('/login', bob)).status).toBe(200);
  expect((await web.post('/send-verification-email')).status).toBe(200);
  const mail = (await after.mails()).findLast(({ to }) => to === bob.email);
  const [, again] = /verify-email\?token=(\w+)/.exec(mail?.text ?? '') ?? [];
  expect((await follow(after, web.cookies, again)).status).toBe(200);
  expect(await isProven(after, bob.email)).toBe(true);
});

test('after `npm run keys -- reseal` the old DATA_KEY opens nothing that is stored, and the new one all of it', async () => {
  const { before, restart } = await startOld();
  const ada = await signInAs(before);
  const { secret, recoveryCodes } = await enrolTotp(ada);
  before.advance(MINUTE);
  await addEndpoint(before, {
    url: 'https://example.com/hook',
    secret: 'whsec_c2VjcmV0IHNlY3JldA==',
  });
  await addScript(before, 'result = 1', { secret: 'a-shared-secret' });
  const { db, features } = before.services;
  const opens = async (...keys: string[]) => {
    const config = { ...before.config, DATA_KEY: keys };
    const { ofKeys, unopened } = await countValues({ config, db, features });
    return [...ofKeys, unopened];
  };
  expect(await opens(OLD.DATA_KEY)).toEqual([3, 0]);

  const during = await restart(before, 'new,old');
  expect((await runCommand(during, 'keys', ['reseal'])).code).toBe(0);

  expect(await opens(OLD.DATA_KEY)).toEqual([0, 3]);
  expect(await opens(SECRETS.DATA_KEY)).toEqual([3, 0]);
  // An attacker with a copy of the database and the old key is asked for a code that they cannot generate, and learns nothing.
  const stolen = await restart(during, 'old');
  const challenge = async (service: TestService) =>
    (await passFirstFactor(service, ada.user.id)).tempToken;
  const totpCode = authenticatorCode(secret);
  const refused = await nativeClient(stolen).post('/2fa/verify', {
    tempToken: await challenge(stolen),
    totpCode,
  });
  expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_TOTP_CODE']);
  const after = await restart(stolen, 'new');
  const client = nativeClient(after);
  const byApp = { tempToken: await challenge(after), totpCode };
  expect((await client.post('/2fa/verify', byApp)).status).toBe(200);
  const byCode = { tempToken: await challenge(after), totpCode: recoveryCodes[0] };
  expect((await client.post('/2fa/verify', byCode)).status).toBe(200);
});
