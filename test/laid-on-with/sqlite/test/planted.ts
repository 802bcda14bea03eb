import { expect } from 'vitest';
import { type Answer, browser, type Client, nativeClient } from './client.js';
import { linkTokenTo } from './flows/link.js';
import { requestMagicLink } from './flows/magic-link.js';
import { begin, comeBack, signInAt } from './flows/oauth.js';
import { requestResetToken, resetPassword } from './flows/password.js';
import { type Phones, phonesOf, startSmsSink } from './flows/sms.js';
import { authenticatorCode } from './flows/totp.js';
import type { Counterpart } from './oauth/authorization-server.js';
import { counterparts } from './oauth/counterparts.js';
import { startTestService, type TestEnvironment, type TestService } from './service.js';

export const VICTIM = 'ada@example.com';
export const PASSWORD = 'correct horse battery staple';
export const ADA = { email: VICTIM, password: PASSWORD };
export const NAVIGATION = { accept: 'text/html,*/*' };

/** The secret of an authenticator app, in the service's own format, that belongs to nobody. */
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

export interface World {
  service: TestService;
  phones: Phones;
  counterpart: Counterpart;
}

export async function startWorld(variables: TestEnvironment = {}): Promise<World> {
  const [first] = counterparts;
  if (!first) throw new Error('There is no provider.');
  const [counterpart, sink] = [await first[1](), await startSmsSink()];
  const given = { ...counterpart.variables, ...sink.environment, ...variables };
  const service = await startTestService(given);
  return { service, counterpart, phones: phonesOf(service, sink) };
}

/** The last token that was mailed to an address in a link to a page. */
export async function tokenTo(service: TestService, email: string, page: string): Promise<string> {
  const link = new RegExp(`/${page}\\?token=([0-9a-f]{64})`);
  const mails = (await service.mails()).filter(({ to }) => to === email);
  const token = mails.map(({ text }) => link.exec(text)?.[1]).findLast(Boolean);
  if (!token) throw new Error(`No link to ${page} was mailed to ${email}.`);
  return token;
}

export async function namesOfMails(service: TestService): Promise<string[]> {
  return (await service.mails()).map(({ name }) => name);
}

/** What an attacker holds after opening the account. */
export interface Attacker {
  world: World;
  client: Client;
  refreshToken: string;
  /** The responses to requests that set up a second factor, or generate recovery codes. */
  refusedFactors: Answer[];
  /** The token of a sign-in that must set up a second factor. */
  setUpToken: string;
  /** The temp token of a sign-in that waits for its second step. */
  tempToken: string;
  pendingChange: string;
  pendingLink: string;
  /** A code texted to the planted phone, not used yet. */
  textedCode: string;
  /** A browser that a provider is about to redirect back. */
  atProvider: { client: Client; url: URL };
}

/** Opens an account through a provider that verifies no address, and adds everything that a session can. */
export async function plant(world: World, email = VICTIM): Promise<Attacker> {
  const { service, counterpart, phones } = world;
  counterpart.person = { id: '666', email, isEmailVerified: false };
  const { client: opened } = await signInAt(service, counterpart);
  const newPassword = PASSWORD;
  await opened.post('/change-password', { currentPassword: '', newPassword });
  const setUpToken = await firstFactorOf(service, email);
  const login = await nativeClient(service).post('/login', { email, password: PASSWORD });
  const client = nativeClient(service, login.body.accessToken);
  const made = { token: authenticatorCode(SECRET), secret: SECRET };
  const refusedFactors = [
    await client.post('/2fa/setup'),
    await nativeClient(service, setUpToken).post('/2fa/setup'),
    await client.post('/2fa/verify-setup', made),
    await nativeClient(service, setUpToken).post('/2fa/verify-setup', made),
    await client.post('/2fa/recovery-codes'),
  ];
  // It ends the other sessions and unfinished sign-ins.
  await client.post('/add-phone', { phoneNumber: '+4915112345678' });
  await client.post('/verify-phone', { code: await phones.lastCode() });
  await client.post('/link-request', { email: 'added@evil.example' });
  const added = await tokenTo(service, 'added@evil.example', 'link-verify');
  await nativeClient(service).post('/link-verify', { token: added });
  await client.post('/change-email/request', { newEmail: 'moved@evil.example' });
  const pendingChange = await tokenTo(service, 'moved@evil.example', 'change-email');
  await client.post('/link-request', { email: 'pending@evil.example' });
  const pendingLink = await tokenTo(service, 'pending@evil.example', 'link-verify');
  const tempToken = await firstFactorOf(service, email);
  await nativeClient(service).post('/sms/send', { email });
  const textedCode = await phones.lastCode();
  const away = browser(service);
  const url = await counterpart.agree(await begin(away, counterpart));
  const { refreshToken } = login.body;
  return {
    ...{ world, client, refreshToken, refusedFactors, setUpToken, tempToken },
    ...{ pendingChange, pendingLink, textedCode, atProvider: { client: away, url } },
  };
}

/** The token of a sign-in with the password that needs a second step, or must set one up. */
async function firstFactorOf(service: TestService, email: string): Promise<string> {
  await service.services.settings.set('require2FA', true);
  const { body } = await nativeClient(service).post('/login', { email, password: PASSWORD });
  await service.services.settings.set('require2FA', null);
  return String(body.tempToken);
}

const isTaken = ({ status }: Answer) => status === 200;

/** For each planted thing, whether the attacker can still use it. */
const planted: Record<string, (attacker: Attacker) => Promise<boolean>> = {
  async 'a session'({ client, world, refreshToken }) {
    const refreshed = await nativeClient(world.service).post('/refresh', { refreshToken });
    return isTaken(refreshed) || isTaken(await client.get('/me'));
  },
  async 'a password'({ world }) {
    const login = { email: VICTIM, password: PASSWORD };
    const { body } = await nativeClient(world.service).post('/login', login);
    return body.success === true || body.requiresTwoFactor === true;
  },
  async 'a texted code on its way'({ world, textedCode: code }) {
    const signIn = { email: VICTIM, code };
    return isTaken(await nativeClient(world.service).post('/sms/verify', signIn));
  },
  async 'a phone'({ world: { phones, service } }) {
    const before = phones.sink.requests.length;
    await nativeClient(service).post('/sms/send', { email: VICTIM });
    await service.idle();
    return phones.sink.requests.length > before;
  },
  async 'a second step that was begun'({ world: { phones, service }, tempToken }) {
    const step = { mode: '2fa', tempToken };
    const asked = await nativeClient(service).post('/sms/send', step);
    const code = await phones.lastCode();
    return (
      isTaken(asked) || isTaken(await nativeClient(service).post('/sms/verify', { ...step, code }))
    );
  },
  async 'an authenticator app'({ client, refusedFactors, setUpToken, world: { service } }) {
    const bySetUp = await nativeClient(service, setUpToken).post('/2fa/setup');
    return [...refusedFactors, bySetUp, await client.post('/2fa/setup')].some(isTaken);
  },
  async 'recovery codes'({ client, setUpToken, tempToken, world: { service } }) {
    const guesses = ['', 'x'.repeat(32), SECRET].map((totpCode) =>
      nativeClient(service).post('/2fa/verify', { tempToken, totpCode }),
    );
    const asked = [client, nativeClient(service, setUpToken)].map((each) =>
      each.post('/2fa/recovery-codes'),
    );
    const stored = await service.services.db.selectFrom('recovery_codes').selectAll().execute();
    return stored.length > 0 || (await Promise.all([...guesses, ...asked])).some(isTaken);
  },
  async 'a sign-in at a provider that was begun'({ atProvider: { client, url }, world }) {
    await comeBack(world.service, client, url);
    return isSignedInAsVictim(client);
  },
  async 'a linked account'({ world: { counterpart, service } }) {
    counterpart.person = { id: '666', email: 'new@evil.example', isEmailVerified: true };
    return isSignedInAsVictim((await signInAt(service, counterpart)).client);
  },
  async 'an added address'({ world: { counterpart, service } }) {
    counterpart.person = { id: '667', email: 'added@evil.example', isEmailVerified: true };
    return isSignedInAsVictim((await signInAt(service, counterpart)).client);
  },
  async 'a pending link'({ world, pendingLink: token }) {
    return isTaken(await nativeClient(world.service).post('/link-verify', { token }));
  },
  async 'a pending change of address'({ world, pendingChange: token }) {
    return isTaken(await nativeClient(world.service).post('/change-email/confirm', { token }));
  },
};

export async function isSignedInAsVictim(client: Client): Promise<boolean> {
  return (await client.get('/me')).body.email === VICTIM;
}

export async function whatRemains(attacker: Attacker): Promise<string[]> {
  const remains: string[] = [];
  for (const [name, works] of Object.entries(planted)) {
    if (await works(attacker)) remains.push(name);
  }
  return remains;
}

/** What the owner of the address does, in a browser of their own. */
export const proofs: Record<string, (world: World) => Promise<unknown>> = {
  async 'a reset of the password'({ service }) {
    return resetPassword(service, await requestResetToken(service, VICTIM));
  },
  async 'a magic link'({ service }) {
    const token = await requestMagicLink(service, VICTIM);
    return browser(service).post('/magic-link/verify', { token });
  },
  async 'the link after a sign-in at a provider'({ service, counterpart }) {
    counterpart.person = { id: '1', email: VICTIM, isEmailVerified: true };
    const { client, page } = await signInAt(service, counterpart);
    expect(page.pathname).toBe('/account-conflict');
    await client.post('/link-request', { email: VICTIM, provider: counterpart.name });
    const token = await linkTokenTo(service, VICTIM);
    await client.post('/link-verify', { token, loginAfterLinking: true });
    expect(await isSignedInAsVictim(client)).toBe(true);
  },
  async 'a reset, after a scanner has opened the link of the verification'(world) {
    await openByScanner(world);
    await proofs['a reset of the password']?.(world);
  },
};

export async function openByScanner({ service }: World): Promise<void> {
  const token = await tokenTo(service, VICTIM, 'auth/verify-email');
  const { status } = await browser(service).get(`/verify-email?token=${token}`, NAVIGATION);
  expect(status).toBe(302);
}

/** The verification link mailed to the new user `client`, who requests it if nobody has. */
export async function verificationLink(service: TestService, client: Client): Promise<string> {
  if (!(await namesOfMails(service)).includes('verification')) {
    await client.post('/send-verification-email');
  }
  return `/verify-email?token=${await tokenTo(service, VICTIM, 'auth/verify-email')}`;
}
