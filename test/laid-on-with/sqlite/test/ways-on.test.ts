import { expect, test } from 'vitest';
import { carry } from '../src/features/pages/carried.js';
import { openChallenge, SETUP_TOKEN } from '../src/features/second-factor/challenge.js';
import { CHALLENGE } from '../src/session/end-session.js';
import { createPasswordAccount } from './flows/password.js';
import { signInWithPhone, startTextingService } from './flows/sms.js';
import { authenticatorCode } from './flows/totp.js';
import type { TestService } from './service.js';
import { signInAs } from './sign-in-as.js';
import { linkIn, signedInVisitor, startWithPages, visitor } from './visitor.js';

const PROFILE = '/auth/ui/account/profile';
const SET_UP = '/auth/ui/2fa-setup';

/** A browser in which the first step of a sign-in is done. */
async function atSecondStep(service: TestService, userId: string) {
  const signIn = { userId, method: 'local', confirm: async () => {} };
  const tempToken = await openChallenge(service.services, signIn);
  const person = visitor(service);
  const carried = carry(service.config, '/auth/ui/2fa', { tempToken }).value;
  person.cookies.set('carried /auth/ui/2fa', carried);
  return person;
}

/** A user with an unproven address, in a browser whose sign-in requires the set-up of an app. */
async function atSetUp() {
  const service = await startWithPages();
  const { user } = await signInAs(service, { isEmailProven: false });
  const signIn = { userId: user.id, method: 'local', confirm: async () => {} };
  const bearerToken = await openChallenge(service.services, signIn, SETUP_TOKEN);
  const person = visitor(service);
  person.cookies.set(`carried ${SET_UP}`, carry(service.config, SET_UP, { bearerToken }).value);
  await person.open(SET_UP);
  const isProven = async () =>
    (await service.services.users.findById(user.id))?.emailProvenAt !== null;
  return { service, person, user, bearerToken, isProven };
}

test('a set-up that takes a confirmed address mails the link, and goes on once it was opened', async () => {
  const { service, person } = await atSetUp();

  await person.open(`${SET_UP}?return_to=${PROFILE}`);
  const { path } = await person.submit('begin');
  expect(path).toBe(`/auth/ui/confirm-address?return_to=${encodeURIComponent(PROFILE)}`);
  await person.submit('send');
  const opened = await person.open(linkIn(service, (await service.mails()).at(-1)));
  await person.open(SET_UP);
  const scan = await person.submit('begin');

  expect(opened.heading).toBe('Your email address is confirmed');
  expect(scan.valueOf('secret')).toMatch(/^[A-Z2-7]{32}$/);
});

test('a click on the mailed link that is refused ends on a page; an app gets JSON', async () => {
  const service = await startWithPages({ RATE_LIMIT: 'on' });
  const link = '/auth/verify-email?token=used';
  for (let at = 0; at < 60; at++) await fetch(service.url + link);

  const page = await visitor(service).open(link);

  expect([page.status, page.heading]).toEqual([429, 'This did not work']);
  const answer = await visitor(service).open(link, { accept: 'application/json' });
  expect(JSON.parse(answer.html)).toMatchObject({ code: 'RATE_LIMITED' });
});

test('in the browser that created the account the link says nothing of another confirmation', async () => {
  const service = await startWithPages({ EMAIL_VERIFICATION: 'strict' });
  const person = visitor(service);
  await person.open('/auth/ui/register');
  await person.submit('register', { email: 'ada@example.com', password: 'a password that is new' });

  const { html } = await person.open(linkIn(service, (await service.mails()).at(-1)));

  expect(html).toContain('<p>Sign in to continue.</p>');
});

test('a second step that was finished in another tab leads on', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service);
  await service.services.users.markEmailVerified(ada.user.id);
  const person = await atSecondStep(service, ada.user.id);
  const path = `/auth/ui/2fa?return_to=${encodeURIComponent(PROFILE)}`;
  const guard = (await person.open(path)).valueOf('guard') ?? '';
  await person.submit('magic-link');
  await person.open(linkIn(service, (await service.mails()).at(-1)));
  await person.submit('verify');

  expect((await person.open(path)).path).toBe(PROFILE);
  expect((await person.post(path, { guard, form: 'magic-link' })).path).toBe(PROFILE);
});

test('a signed-in user with a used link is not offered another to sign in', async () => {
  const { person } = await signedInVisitor(await startWithPages());

  const page = await person.open('/auth/ui/magic-link?token=used');

  expect(page.alert).toBe('This link is no longer valid.');
  expect(page.html).not.toContain('Get another link');
  expect(page.html).toContain('<a class="button primary" href="/auth/ui/login">Continue</a>');
});

test('a signed-in user whose set-up takes a confirmed address is told so', async () => {
  const { person } = await signedInVisitor(await startWithPages(), { isEmailProven: false });
  await person.open(SET_UP);

  const { html } = await person.submit('begin');

  expect(html).toContain('Confirm your email address to continue.');
  expect((await person.submit('send')).html).not.toContain('to continue');
});

test('attack: a planted cookie with the token of a stranger does not make the browser theirs', async () => {
  const { service, person, bearerToken, isProven } = await atSetUp();
  await person.submit('begin');
  await person.submit('send');
  const link = linkIn(service, (await service.mails()).at(-1));
  const owner = visitor(service);
  await owner.open('/auth/ui/login');
  const unguarded = carry(service.config, '/auth/verify-email', { bearerToken }).value;
  const ofThief = person.cookies.get('carried /auth/verify-email') ?? '';

  for (const carried of [unguarded, ofThief]) {
    owner.cookies.set('carried /auth/verify-email', carried);
    const opened = await owner.open(link);
    expect([opened.heading, await isProven()]).toEqual(['Your email address is confirmed', false]);
    expect(opened.html).toContain('open the new link in the browser that asks.');
  }
});

test('attack: the browser of a set-up that was stopped proves no address', async () => {
  const { service, person, user, isProven } = await atSetUp();
  await person.submit('begin');
  await person.submit('send');
  await service.services.oneTimeTokens.revokeAll(user.id, CHALLENGE);

  const opened = await person.open(linkIn(service, (await service.mails()).at(-1)));

  expect([opened.heading, await isProven()]).toEqual(['Your email address is confirmed', false]);
});

test('a form of an earlier session of the same user keeps what was typed', async () => {
  const service = await startWithPages();
  const { person, user } = await signedInVisitor(service);
  await person.open(PROFILE);
  person.cookies.set('accessToken', (await signInAs(service, user)).accessToken);

  const page = await person.submit('profile', { name: 'Ada Lovelace' });

  expect([page.status, page.valueOf('name')]).toEqual([403, 'Ada Lovelace']);
  expect(page.alert).toContain('Nothing was done yet');
  expect((await person.submit('profile')).path).toBe(`${PROFILE}?done=profile`);
});

test('a form whose visit is lost leads to the same page, with where to return to', async () => {
  const person = visitor(await startWithPages());
  const path = '/auth/ui/login?return_to=%2Fauth%2Fui%2Faccount%2Fprofile';
  await person.open(path);
  person.cookies.clear();

  const page = await person.submit('magic-link', { email: 'ada@example.com' });

  expect([page.status, page.html.includes(`href="${path}"`)]).toEqual([403, true]);
  expect(page.html).toContain('Cookies must be allowed.');
});

test('a texted second step leads back to the other factors, and says when it has ended', async () => {
  const phones = await startTextingService({}, startWithPages);
  const { user } = await signInWithPhone(phones);
  const person = await atSecondStep(phones.service, user.id);
  await person.open('/auth/ui/2fa');

  const sent = await person.submit('sms');
  expect(sent.html).toContain('We texted you a code. It is valid for 10 minutes.</p>');
  expect(sent.html).toContain('<a href="/auth/ui/2fa">');
  const code = await phones.wrongCode();
  for (let guess = 0; guess < 5; guess++) {
    expect((await person.submit('verify', { code })).errorOf('code')).toBeDefined();
  }
  const ended = await person.submit('verify', { code });

  expect(ended.path).toBe('/auth/ui/login?error=INVALID_TEMP_TOKEN');
  expect(ended.alert).toBe(
    'This sign-in has expired, or there were too many wrong codes. Start again.',
  );
  expect((await person.open('/auth/ui/2fa')).path).toBe('/auth/ui/login?error=TEMP_TOKEN_REQUIRED');
});

test('the pages after a mail was requested name the address as it was typed', async () => {
  const service = await startWithPages();
  for (const [path, form] of [
    ['/auth/ui/login', 'magic-link'],
    ['/auth/ui/forgot-password', 'forgot'],
  ] as const) {
    const person = visitor(service);
    await person.open(path);

    const { html } = await person.submit(form, { email: 'mistyped&@example.com' });

    expect(html).toContain('<strong>mistyped&amp;@example.com</strong>');
  }
});

test('the page for a new password names the account, to people and to password managers', async () => {
  const service = await startWithPages();
  const { user } = await signInAs(service);
  const person = visitor(service);
  await person.open('/auth/ui/forgot-password');
  await person.submit('forgot', { email: user.email });

  const { html } = await person.open(linkIn(service, (await service.mails()).at(-1)));

  expect(html).toContain(`<strong>${user.email}</strong>`);
  expect(html).toContain(`autocomplete="username" value="${user.email}"`);
});

test('a recovery page that is reloaded leads to the settings of the app', async () => {
  const service = await startWithPages();
  const { person } = await signedInVisitor(service);
  await person.open(SET_UP);
  const scan = await person.submit('begin');
  const secret = scan.valueOf('secret') ?? '';
  const sent = {
    ...{ form: 'confirm', secret, guard: scan.valueOf('guard') ?? '' },
    token: authenticatorCode(secret),
  };
  await person.post(SET_UP, sent);

  const { html } = await person.post(SET_UP, sent);

  expect(html).toContain('Your authenticator app is set up.');
  expect(html).toContain('href="/auth/ui/account/authenticator"');
});

test('the address of a page alone claims nothing', async () => {
  const service = await startWithPages();
  const { person } = await signedInVisitor(service, { isEmailProven: false });

  expect((await person.open('/auth/ui/signed-out')).path).toBe('/auth/ui/account');
  expect((await person.open('/auth/ui/email-verified')).heading).toBe('Confirm your email address');
  expect((await person.open('/auth/ui/register?done=register')).heading).toBe('Create an account');
  for (const page of ['password?done=change', 'phone?done=verify', 'profile?done=profile']) {
    expect((await person.open(`/auth/ui/account/${page}`)).html).not.toContain('role="status"');
  }
  await person.open('/auth/ui/account/profile');
  const { html } = await person.submit('profile', { name: 'Ada' });
  expect(html).toContain('<p class="notice good" role="status">Your changes are saved.</p>');
  const conflict = await person.open('/auth/ui/account-conflict?email=call+555+now');
  expect(conflict.html).not.toContain('call 555');
});

test('a name that is too long is reported beside its field', async () => {
  const person = visitor(await startWithPages());
  await person.open('/auth/ui/register');
  const account = { email: 'ada@example.com', password: 'a password that is new' };

  const page = await person.submit('register', { ...account, name: 'a'.repeat(201) });

  expect(page.errorOf('name')).toBe('Use at most 200 characters.');
  expect(page.alert).toBeUndefined();
});

test('every prefix with routes has a document, and no other; the start page tells them apart', async () => {
  const service = await startWithPages({ NODE_ENV: 'development' });
  const { resources } = service.services;
  const documents = resources.filter(({ path }) => path.endsWith('/openapi.json'));

  expect(documents.map(({ path }) => path).sort()).toEqual([
    '/admin/api/openapi.json',
    '/auth/openapi.json',
    '/tools/openapi.json',
  ]);
  const { html } = await visitor(service).open('/');
  const labels = [...html.matchAll(/<li><a[^>]*>([^<]+)/g)].map(([, label]) => label);
  expect(labels).toContain('OpenAPI document of /auth');
  expect(new Set(labels).size).toBe(labels.length);
});

test('a mail that a page requests is in the language of the page', async () => {
  const service = await startWithPages();
  const { user } = await signInAs(service);
  const person = visitor(service);
  const german = { 'accept-language': 'de-AT' };
  await person.open('/auth/ui/forgot-password', german);

  await person.submit('forgot', { email: user.email }, german);

  const [mail] = await service.mails();
  expect(mail?.subject).toBe('Setzen Sie Ihr Passwort zurück');
});

test('who has no right proof signs in again, and finds what was typed', async () => {
  const service = await startWithPages({ ACCESS_TOKEN_TTL: '1h' });
  const account = await createPasswordAccount(service);
  const { person } = await signedInVisitor(service, account);
  service.advance(service.config.REAUTH_WINDOW + 1_000);
  await person.open('/auth/ui/account/email');
  await person.submit('change', { newEmail: 'new@example.com', currentPassword: 'wrong' });

  await person.open(
    `/auth/ui/login?again=1&return_to=${encodeURIComponent('/auth/ui/account/email')}`,
  );
  const { email, password } = account;
  const back = await person.submit('password', { email, password });

  expect([back.path, back.valueOf('newEmail')]).toEqual([
    '/auth/ui/account/email',
    'new@example.com',
  ]);
});
