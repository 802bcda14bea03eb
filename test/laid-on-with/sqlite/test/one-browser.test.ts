import { expect, test } from 'vitest';
import { browser } from './client.js';
import { begin, comeBack, startServiceWith } from './flows/oauth.js';
import { createPasswordAccount } from './flows/password.js';
import { authenticatorCode } from './flows/totp.js';
import { counterparts } from './oauth/counterparts.js';
import type { TestService } from './service.js';
import { linkIn, signedInVisitor, startWithPages, type Visitor, visitor } from './visitor.js';

const SET_UP = '/auth/ui/2fa-setup';
const ADA = { email: 'ada@example.com', isEmailProven: false };

/** Signs in, whoever is signed in already. */
async function signInHere(person: Visitor, account: { email: string; password: string }) {
  const { email, password } = account;
  await person.open('/auth/ui/login?again=1');
  return person.submit('password', { email, password });
}

/** A browser in which Ada's sign-in requires a set-up, after which the requirement ends. */
async function afterDemand(service: TestService, person = visitor(service)) {
  const { settings } = service.services;
  const ada = await createPasswordAccount(service, ADA);
  const bob = await createPasswordAccount(service, { email: 'bob@example.com' });
  await settings.set('require2FA', true);
  const page = await signInHere(person, ada);
  expect(page.path).toBe(SET_UP);
  return { ada, bob, person, page, lift: () => settings.set('require2FA', false) };
}

const hiddenOf = (page: { valueOf(field: string): string | undefined }) => ({
  guard: page.valueOf('guard') ?? '',
  about: page.valueOf('about') ?? '',
});

/** The mailed links of Ada and then Bob, requested and opened in one browser: `shown` is Ada's page. */
async function openBoth([page, form]: [page: string, form: string]) {
  const service = await startWithPages();
  const person = visitor(service);
  const links: string[] = [];
  for (const email of ['ada@example.com', 'bob@example.com']) {
    await createPasswordAccount(service, { email });
    await person.open(`/auth/ui/${page}`);
    await person.submit(form, { email });
    links.push(linkIn(service, (await service.mails()).at(-1)));
  }
  const shown = await person.open(links[0] ?? '');
  expect(shown.html).toContain('ada@example.com');
  await person.open(links[1] ?? '');
  return { service, person, shown };
}

test('two tabs: the form for a new password of one account sets that of no other', async () => {
  const { service, person, shown } = await openBoth(['forgot-password', 'forgot']);

  const newPassword = 'a password that is new';
  const fields = { form: 'reset', newPassword, ...hiddenOf(shown) };
  const page = await person.post('/auth/ui/reset-password', fields);

  expect(page.status).toBe(403);
  const bob = { email: 'bob@example.com', password: newPassword };
  expect((await signInHere(visitor(service), bob)).path).not.toBe('/auth/ui/account');
});

test('two tabs: the button of a mailed link signs in whom its page names', async () => {
  const { person, shown } = await openBoth(['login', 'magic-link']);

  await person.post('/auth/ui/magic-link', { form: 'verify', ...hiddenOf(shown) });

  expect((await person.open('/auth/ui/account')).html).not.toContain('bob@example.com');
});

test('two people: who opens the set-up from their own account sets up no app of somebody else', async () => {
  const service = await startWithPages();
  const { person, user } = await signedInVisitor(service, { email: 'owner@example.com' });
  const { ada } = await afterDemand(service, person);
  const { users } = service.services;
  await users.markEmailProven(ada.id);

  const { html } = await person.open('/auth/ui/account/authenticator');
  await person.open(/href="([^"]*2fa-setup[^"]*)"/.exec(html)?.[1] ?? '');
  const scan = await person.submit('begin');
  await person.submit('confirm', { token: authenticatorCode(scan.valueOf('secret') ?? '') });

  expect((await users.findAccount(user.id))?.isTotpEnabled).toBe(true);
  expect((await users.findAccount(ada.id))?.isTotpEnabled).toBe(false);
});

test('two people: an administrator whom the panel sends to the set-up sets up no app of somebody else', async () => {
  const service = await startWithPages({ ADMIN_2FA: 'on' });
  const { person, user } = await signedInVisitor(service, { role: 'admin' });
  const { ada } = await afterDemand(service, person);
  await service.services.users.markEmailProven(ada.id);

  expect((await person.open('/admin')).path).toContain(SET_UP);
  await person.submit('begin');

  expect(await service.services.totp.find(ada.id)).toBeUndefined();
  expect(await service.services.totp.find(user.id)).toBeDefined();
});

test('two tabs: a set-up that was left open begins none for who has signed in since', async () => {
  const service = await startWithPages();
  const { bob, person, page, lift } = await afterDemand(service);
  await lift();
  expect((await signInHere(person, bob)).path).toBe('/auth/ui/account');

  await person.post(SET_UP, { form: 'begin', ...hiddenOf(page) });

  expect(await service.services.totp.find(bob.id)).toBeUndefined();
});

test('two people: a sign-in at a provider ends the second step that somebody else left', async () => {
  const [, start] = counterparts[0] ?? [];
  if (!start) throw new Error('No provider was chosen.');
  const { service, counterpart } = await startServiceWith(start, { APP_URL: '' });
  counterpart.person = { id: '1', email: 'bob@example.com', isEmailVerified: true };
  const { settings } = service.services;
  const ada = await createPasswordAccount(service);
  const person = visitor(service);
  await settings.set('require2FA', true);
  expect((await signInHere(person, ada)).path).toBe('/auth/ui/2fa');
  await settings.set('require2FA', false);
  const client = browser(service);
  const url = await counterpart.agree(await begin(client, counterpart));
  for (const [name, value] of client.cookies) person.cookies.set(name, value);
  await person.open(url.pathname + url.search);

  expect((await person.open('/auth/ui/2fa')).path).toBe('/auth/ui/account');
});

test('two people: a conflict that a stranger meets later in this browser does not link their account', async () => {
  const [, start] = counterparts[0] ?? [];
  if (!start) throw new Error('No provider was chosen.');
  const { service, counterpart } = await startServiceWith(start, { APP_URL: '' });
  const ada = await createPasswordAccount(service, ADA);
  const person = visitor(service);
  const client = browser(service);
  for (const id of ['own', 'of-stranger']) {
    counterpart.person = { id, email: ada.email, isEmailVerified: id === 'own' };
    const url = await counterpart.agree(await begin(client, counterpart));
    for (const [name, value] of client.cookies) person.cookies.set(name, value);
    if (id === 'own') await person.open(url.pathname + url.search);
    // In another tab: the page of the first stays.
    else await comeBack(service, client, url);
  }

  await person.submit('link');
  await person.open(linkIn(service, (await service.mails()).at(-1)));
  await person.submit('link');

  const linked = await service.services.accountLinking.listOfUser(ada.id);
  expect(linked.map(({ id }) => id)).toEqual(['own']);
});
