import { expect, test } from 'vitest';
import { atAdmin, signInAtAdmin } from './administrator.js';
import { type Answer, browser, type Client, nativeClient } from './client.js';
import { requestMagicLink } from './flows/magic-link.js';
import {
  createPasswordAccount,
  requestResetToken,
  resetPassword,
  signInWithPassword,
} from './flows/password.js';
import { authenticatorCode, enrolTotp } from './flows/totp.js';
import {
  ADA,
  NAVIGATION,
  namesOfMails,
  proofs,
  startWorld,
  VICTIM,
  verificationLink,
  type World,
} from './planted.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

// Users who open an account with their own address lose nothing by proving it.

const DAY = 24 * 60 * 60 * 1000;

/** Registers in a browser and, unless that is refused, adds a phone. */
async function register(world: World) {
  const { service, phones } = world;
  const own = browser(service);
  await own.post('/register', ADA);
  const isIn = (await own.post('/login', ADA)).status === 200;
  if (isIn) {
    await own.post('/add-phone', { phoneNumber: '+4915112345678' });
    await own.post('/verify-phone', { code: await phones.lastCode() });
  }
  return { own, isIn };
}

async function isProven({ services }: TestService): Promise<boolean> {
  return ((await services.users.findByEmail(VICTIM))?.emailProvenAt ?? null) !== null;
}

/** Where the new user opens the link. */
const homes: Record<string, (world: World, own: Client, link: string) => Promise<Answer>> = {
  'in the browser that registered': (_world, own, link) => own.get(link, NAVIGATION),
  async 'in the browser that registered, after a scanner'({ service }, own, link) {
    await browser(service).get(link, NAVIGATION);
    return own.get(link, NAVIGATION);
  },
  async 'in the browser that registered, whose session is over'({ service }, own, link) {
    await service.services.db.deleteFrom('sessions').execute();
    return own.get(link, NAVIGATION);
  },
};

const modes = ['none', 'lazy', 'strict'] as const;

test.each(
  modes.flatMap((mode) => Object.entries(homes).map(([name, open]) => [name, mode, open] as const)),
)('who opens the link %s (%s) loses nothing, then or later', async (_name, mode, open) => {
  const world = await startWorld({ EMAIL_VERIFICATION: mode });
  const { service } = world;
  const { own, isIn } = await register(world);

  const { status } = await open(world, own, await verificationLink(service, own));

  expect([status, isIn, await isProven(service)]).toEqual([302, mode !== 'strict', true]);
  const events = (await service.events()).map(({ event }) => event);
  expect(events.filter((event) => event === 'identity.user.email.verified')).toHaveLength(1);
  await signInWithPassword(service, ADA);
  await proofs['a reset of the password']?.(world);
  const user = await service.services.users.findByEmail(VICTIM);
  expect(await service.services.sms.findNumber(user?.id ?? '')).toBe(
    isIn ? '+4915112345678' : undefined,
  );
  expect(await namesOfMails(service)).not.toContain('addedBeforeRemoved');
});

test('who opens the link on another device loses nothing if they are signed in there', async () => {
  const world = await startWorld();
  const { service } = world;
  const { own } = await register(world);
  const other = browser(service);
  await other.post('/login', ADA);
  // The cookies that a browser has left after the access token has expired.
  other.cookies.delete('accessToken');

  await other.get(await verificationLink(service, own), NAVIGATION);

  expect([await isProven(service), (await own.get('/me')).status]).toEqual([true, 200]);
});

test('a browser of its own is one of this account, for a day, and not after it has signed out', async () => {
  const world = await startWorld({ EMAIL_VERIFICATION: 'strict' });
  const { service } = world;
  const { own } = await register(world);
  const link = await verificationLink(service, own);
  const another = browser(service);
  await another.post('/register', { ...ADA, email: 'eve@example.com' });
  const forged = browser(service);
  forged.cookies.set('newcomer', 'forged');
  const signedOut = browser(service);
  signedOut.cookies.set('newcomer', own.cookies.get('newcomer') ?? '');
  await signedOut.post('/logout');
  for (const client of [another, forged, signedOut]) await client.get(link, NAVIGATION);
  expect(await isProven(service)).toBe(false);

  service.advance(DAY + 1000);
  await own.post('/login', ADA);
  await own.post('/send-verification-email');
  const later = browser(service);
  later.cookies.set('newcomer', own.cookies.get('newcomer') ?? '');
  await later.get(await verificationLink(service, own), NAVIGATION);
  expect(await isProven(service)).toBe(false);
});

test('attack: who opens the link in a browser that is signed in to another account proves nothing', async () => {
  const world = await startWorld();
  const { service } = world;
  const { own } = await register(world);
  const other = browser(service);
  const eve = { ...ADA, email: 'eve@example.com' };
  await other.post('/register', eve);
  expect((await other.post('/login', eve)).status).toBe(200);

  await other.get(await verificationLink(service, own), NAVIGATION);

  expect(await isProven(service)).toBe(false);
});

test('the cookie of a registration is HttpOnly and named for one host in production; native clients get none', async () => {
  const service = await startTestService({ BASE_URL: 'https://auth.example.com' });
  const { setCookies } = await browser(service).post('/register', ADA);
  expect(setCookies.find(({ name }) => name === '__Host-newcomer')).toMatchObject({
    httpOnly: true,
    secure: true,
    path: '/',
    sameSite: 'lax',
    maxAge: DAY / 1000,
  });
  const native = await nativeClient(service).post('/register', { ...ADA, email: 'b@example.com' });
  expect(native.setCookies).toEqual([]);
});

test('with strict cookies the link, which a mail opens without them, is opened again by the service', async () => {
  const service = await startTestService({ COOKIE_SAMESITE: 'strict' });
  const own = browser(service);
  await own.post('/register', ADA);
  await own.post('/login', ADA);
  const link = await verificationLink(service, own);
  const { headers } = await browser(service).get(link, NAVIGATION);
  const [path, onward] = [link.split('?')[0], headers.get('refresh')?.split('url=')[1]];
  expect((await own.get(`${path}${onward}`, NAVIGATION)).status).toBe(302);
  expect(await isProven(service)).toBe(true);
});

test('whoever must set up a second factor proves the address for it with the same token', async () => {
  const world = await startWorld();
  const { service } = world;
  await nativeClient(service).post('/register', ADA);
  await service.services.settings.set('require2FA', true);
  const login = await nativeClient(service).post('/login', ADA);
  const client = nativeClient(service, login.body.tempToken);
  expect((await client.post('/2fa/setup')).body.code).toBe('EMAIL_NOT_VERIFIED');

  expect((await client.post('/send-verification-email')).status).toBe(200);
  await client.get(await verificationLink(service, client));
  expect((await client.post('/send-verification-email')).body.code).toBe('ALREADY_VERIFIED');

  const { body } = await client.post('/2fa/setup');
  const token = authenticatorCode(body.secret);
  const confirmed = await client.post('/2fa/verify-setup', { token, secret: body.secret });
  expect(confirmed.body.recoveryCodes).toHaveLength(10);
  await signInWithPassword(service, ADA).catch((error) => expect(error.message).toContain('200'));
  expect((await client.post('/send-verification-email')).body.code).toBe('INVALID_TOKEN');
});

test('a second factor that is enrolled stays and is due, whatever is proven later', async () => {
  const world = await startWorld();
  const { service } = world;
  const ada = await signInAs(service, { email: VICTIM });
  await enrolTotp(ada);
  await service.services.db.updateTable('users').set({ email_proven_at: null }).execute();

  await proofs['a reset of the password']?.(world);

  const login = { email: VICTIM, password: 'a password that is new' };
  const { body } = await nativeClient(service).post('/login', login);
  expect(body).toMatchObject({ requiresTwoFactor: true });
});

test('an account that an administrator opened keeps its roles, and not the password that they know', async () => {
  const world = await startWorld();
  const { service } = world;
  const admin = await signInAtAdmin(service);
  const { status } = await nativeClient(atAdmin(service), admin.accessToken).post('/users', {
    ...ADA,
    role: 'admin',
  });
  expect(status).toBe(201);

  await proofs['a magic link']?.(world);

  expect((await nativeClient(service).post('/login', ADA)).status).toBe(401);
  const user = await service.services.users.findByEmail(VICTIM);
  const account = await service.services.users.findAccount(user?.id ?? '');
  expect(account?.roles.names).toEqual(['admin']);
});

test('the first proof voids what was mailed before, and tells of nothing where nothing was added', async () => {
  const { service } = await startWorld();
  const { user } = await signInAs(service, { email: VICTIM, isEmailProven: false });
  const { oneTimeTokens } = service.services;
  const planted = await oneTimeTokens.issue('any', user.id, DAY);

  const token = await requestMagicLink(service, VICTIM);
  expect((await nativeClient(service).post('/magic-link/verify', { token })).status).toBe(200);

  expect(await oneTimeTokens.find('any', planted)).toBeUndefined();
  expect(await namesOfMails(service)).not.toContain('addedBeforeRemoved');
});

test('a first proof that sets the password itself does not tell that the old one was removed', async () => {
  const { service } = await startWorld();
  const { email } = await createPasswordAccount(service, { isEmailProven: false });
  expect((await resetPassword(service, await requestResetToken(service, email))).status).toBe(200);
  expect(await namesOfMails(service)).not.toContain('addedBeforeRemoved');
});
