import { randomInt, randomUUID } from 'node:crypto';
import { TOTP } from 'otpauth';
import { type Answer, send } from '../../test/support/native-client.js';
import { mailedLinks } from '../matrix/outbox.js';
import type { Receiver } from './receiver.js';

const password = 'correct horse battery staple';
const newPassword = 'staple battery horse correct';

/** A user of the service, with a client of their own. */
export interface Account {
  name: string;
  email: string;
  password: string;
  accessToken: string;
  refreshToken: string;
  /** Shows the second factor, or signs in without a password. @returns the answer that issues tokens */
  signIn(url: string): Promise<Answer>;
  /** A token that was mailed and has not been used yet. */
  open?: { link: string; token: string };
}

/** Tokens that were taken out of a mail. */
const taken = new Set<string>();

/** What the accounts need around a service. */
interface World {
  url: string;
  /** Folders of the running services: each has an outbox. */
  folders: string[];
  texts: Receiver;
}

/**
 * Opens an account of each kind: with a password, with an authenticator app, with a phone, with a link to sign in and one to
 * reset a password open.
 */
export async function openAccounts(world: World): Promise<Account[]> {
  const plain = await Promise.all(
    ['password', 'administrator', 'magic link', 'reset link'].map((name) => open(world, name)),
  );
  const [, , magic, reset] = plain;
  if (magic) {
    magic.open = await askForLink(world, magic, '/magic-link/send', 'magic-link');
    magic.signIn = async (url) => {
      const { token } = await askForLink(
        { ...world, url },
        magic,
        '/magic-link/send',
        'magic-link',
      );
      return send(url, 'POST', '/magic-link/verify', { token });
    };
  }
  if (reset) reset.open = await askForLink(world, reset, '/forgot-password', 'reset-password');
  return [...plain, await openWithApp(world), await openWithPhone(world)];
}

async function open(world: World, name: string): Promise<Account> {
  const email = `${randomUUID()}@example.com`;
  const account: Account = {
    ...{ name, email, password, accessToken: '', refreshToken: '' },
    signIn: (url) => logIn(url, { email, password: account.password }),
  };
  expectStatus(await send(world.url, 'POST', '/register', { email, password }), 201, name);
  // Opening a mailed link proves the address, which some routes require.
  const { token } = await askForLink(world, account, '/forgot-password', 'reset-password');
  const proof = { token, newPassword: password };
  expectStatus(await send(world.url, 'POST', '/reset-password', proof), 200, name);
  await signIn(world.url, account);
  return account;
}

/** As a client does: an answer 503 asks it to try again, since hashes of passwords wait for their turn. */
async function logIn(url: string, credentials: object): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send(url, 'POST', '/login', credentials);
    if (answer.status !== 503 || tries === 10) return answer;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** @throws Error if the account is locked out */
export async function signIn(url: string, account: Account): Promise<void> {
  take(account, await account.signIn(url), `${account.name}: sign in`);
}

/** Continues the session. @throws Error if it has ended */
export async function refresh(url: string, account: Account): Promise<void> {
  const { refreshToken } = account;
  const answer = await send(url, 'POST', '/refresh', { refreshToken });
  take(account, answer, `${account.name}: refresh`);
}

/** @throws Error if the access token is not accepted */
export async function lookAtMe(url: string, account: Account): Promise<Answer> {
  const answer = await send(url, 'GET', '/me', undefined, account.accessToken);
  return expectStatus(answer, 200, `${account.name}: /me`);
}

/** Uses the link that was mailed before. @throws Error if it is not accepted */
export async function useLink(url: string, account: Account): Promise<void> {
  const { link, token } = account.open ?? { link: '', token: '' };
  if (link === 'magic-link') {
    take(account, await send(url, 'POST', '/magic-link/verify', { token }), 'open magic link');
  } else if (link === 'reset-password') {
    const answer = await send(url, 'POST', '/reset-password', { token, newPassword });
    expectStatus(answer, 200, 'open reset link');
    account.password = newPassword;
    await signIn(url, account);
  }
}

/** The session that an account's tokens belong to. */
export function sessionOf({ accessToken }: Account): string {
  const claims = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString();
  return String(JSON.parse(claims).sid);
}

function take(account: Account, answer: Answer, what: string): void {
  const { body } = expectStatus(answer, 200, what);
  if (!body.accessToken || !body.refreshToken) {
    throw new Error(`${what}: no tokens, but ${JSON.stringify(body)}`);
  }
  Object.assign(account, { accessToken: body.accessToken, refreshToken: body.refreshToken });
}

function expectStatus(answer: Answer, status: number, what: string): Answer {
  if (answer.status === status) return answer;
  throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

async function askForLink(
  world: World,
  { email }: Account,
  path: string,
  link: string,
): Promise<{ link: string; token: string }> {
  expectStatus(await send(world.url, 'POST', path, { email }), 200, path);
  const token = await eventually(() => mailedToken(world.folders, email, link), `mail of ${link}`);
  taken.add(token);
  return { link, token };
}

function mailedToken(folders: string[], email: string, link: string): string | undefined {
  const links = folders.flatMap((folder) => mailedLinks(folder, email));
  const tokens = links.flatMap((each) => each.split(`/${link}?token=`)[1] ?? []);
  return tokens.find((token) => !taken.has(token));
}

async function openWithApp(world: World): Promise<Account> {
  const account = await open(world, 'authenticator app');
  const { url } = world;
  const begun = await send(url, 'POST', '/2fa/setup', {}, account.accessToken);
  const { secret = '' } = expectStatus(begun, 200, '2fa/setup').body;
  const body = { secret, token: codeOf(secret) };
  const enabled = await send(url, 'POST', '/2fa/verify-setup', body, account.accessToken);
  const codes = [...(expectStatus(enabled, 200, '2fa/verify-setup').body.recoveryCodes ?? [])];
  const ofPassword = account.signIn;
  let isCodeUsed = false;
  account.signIn = async (at) => {
    const { body: challenge } = await ofPassword(at);
    // The code of the next 30 seconds is accepted too, each once; after that, recovery codes are used.
    const totpCode = isCodeUsed ? (codes.pop() ?? '') : codeOf(secret, Date.now() + 30_000);
    isCodeUsed = true;
    return send(at, 'POST', '/2fa/verify', { tempToken: challenge.tempToken, totpCode });
  };
  return account;
}

function codeOf(secret: string, timestamp = Date.now()): string {
  return new TOTP({ secret }).generate({ timestamp });
}

async function openWithPhone(world: World): Promise<Account> {
  const account = await open(world, 'text message');
  const phoneNumber = `+49151${randomInt(10_000_000, 99_999_999)}`;
  const { url, texts } = world;
  const textTo = () => texts.take((text) => text.to === phoneNumber);
  const codeIn = async () =>
    /\d{6}/.exec(String((await eventually(textTo, 'text')).text))?.[0] ?? '';
  const asked = await send(url, 'POST', '/add-phone', { phoneNumber }, account.accessToken);
  expectStatus(asked, 200, 'add-phone');
  const verified = { code: await codeIn() };
  expectStatus(
    await send(url, 'POST', '/verify-phone', verified, account.accessToken),
    200,
    'verify-phone',
  );
  account.signIn = async (at) => {
    expectStatus(await send(at, 'POST', '/sms/send', { email: account.email }), 200, 'sms/send');
    return send(at, 'POST', '/sms/verify', { email: account.email, code: await codeIn() });
  };
  return account;
}

/** @throws Error naming what did not come within four minutes: failed deliveries are tried again later and later */
export async function eventually<Found>(
  find: () => Found | undefined,
  what: string,
): Promise<Found> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${what} did not come`);
}
