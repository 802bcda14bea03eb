import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Secret } from 'otpauth';
import { expect, test } from 'vitest';
import { sealFor } from '../src/features/data-key/sealed-columns.js';
import { carry } from '../src/features/pages/carried.js';
import { pendingSecret } from '../src/features/totp/codes.js';
import { signInAtAdmin } from './administrator.js';
import { browser } from './client.js';
import { challengeOf } from './factor.js';
import { begin, comeBack, signInAt, startServiceWith } from './flows/oauth.js';
import { createPasswordAccount } from './flows/password.js';
import { authenticatorCode, enrolTotp } from './flows/totp.js';
import { counterparts } from './oauth/counterparts.js';
import { startProcess } from './process.js';
import { signInAs } from './sign-in-as.js';
import { linkIn, signedInVisitor, startWithPages, visitor } from './visitor.js';

const CARRIED = 'carried /auth/ui/2fa';

test('a form can be sent from the address that a first start prints, and from 127.0.0.1', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  await once(free.close(), 'close');
  const settings = { NODE_ENV: 'development', PORT: `${port}`, BASE_URL: '', APP_URL: '' };
  const printed = await (await startProcess(settings)).ready();
  expect(printed).toBe(`http://localhost:${port}`);
  for (const origin of [printed, `http://127.0.0.1:${port}`]) {
    const page = await fetch(`${origin}/auth/ui/login`);
    const guard = /name="guard" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    const cookie = page.headers.getSetCookie().map((each) => each.replace(/;.*/, ''));
    const answer = await fetch(page.url, {
      method: 'POST',
      headers: { origin, cookie: cookie.join('; ') },
      body: new URLSearchParams({ guard, form: 'password', email: 'a@example.com', password: '-' }),
    });
    expect([origin, answer.status]).toEqual([origin, 401]);
  }
});

test('every route that a form names is there', async () => {
  const { services, prefix } = await startWithPages();
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.includes('pages') && file.endsWith('.ts'))
    .map((file) => readFileSync(join('src', file), 'utf8'));
  const named = texts.flatMap((text) => [...text.matchAll(/submits: '([A-Z]+) (\/\S+)'/g)]);
  const routes = services.resources.flatMap((resource) => resource.routes);

  expect(named).not.toEqual([]);
  for (const [, method, path = ''] of named) {
    const whole = path.replaceAll(/\{(\w+)\}/g, ':$1');
    const found = routes.some(
      (route) =>
        route.method === method && [prefix, '/admin/api'].some((at) => route.path === at + whole),
    );
    expect([method, path, found]).toEqual([method, path, true]);
  }
});

test('a mailed link finishes a sign-in in the browser that asked for it, once', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service);
  await service.services.users.markEmailVerified(ada.user.id);
  const person = visitor(service);
  const tempToken = await challengeOf(service, ada);
  person.cookies.set(CARRIED, carry(service.config, '/auth/ui/2fa', { tempToken }).value);
  await person.open('/auth/ui/2fa');

  const sent = await person.submit('magic-link');
  expect(sent.path).toBe('/auth/ui/magic-link');
  const link = linkIn(service, (await service.mails()).at(-1));
  await person.open(link);
  const page = await person.submit('verify');

  expect([page.path, page.html.includes(ada.user.email)]).toEqual(['/auth/ui/account', true]);
  expect((await visitor(service).open(link)).alert).toBe('This link is no longer valid.');
});

test('a sign-in at a provider leaves the token of its second step in a cookie, and goes on where it wanted to', async () => {
  const [, start] = counterparts[0] ?? [];
  if (!start) throw new Error('No provider was chosen.');
  const { service, counterpart } = await startServiceWith(start, { APP_URL: '' });
  const { services } = service;
  const { sub } = (await (await signInAt(service, counterpart)).client.get('/me')).body;
  const secret = new Secret().base32;
  const sealed = sealFor(services, pendingSecret, sub, secret);
  await services.totp.savePendingSecret(sub, sealed);
  await services.totp.confirm(sub, sealed, sealed, 0);

  const { answer } = await signInAt(service, counterpart);

  const location = answer.headers.get('location')?.replace(service.config.BASE_URL, '') ?? '';
  expect(location).toBe('/auth/ui/2fa?return_to=%2Fauth%2Fui%2F');
  const person = visitor(service);
  const carried = answer.setCookies.find(({ name }) => name === 'carried');
  expect(carried).toMatchObject({ path: '/auth/ui/2fa', httpOnly: true });
  person.cookies.set(CARRIED, carried?.value ?? '');
  await person.open(location);
  const page = await person.submit('totp', { totpCode: authenticatorCode(secret) });
  expect(page.path).toBe('/auth/ui/account');
});

test('a sign-in that requires a set-up is that of its own user, in a browser where another is signed in', async () => {
  const [, start] = counterparts[0] ?? [];
  if (!start) throw new Error('No provider was chosen.');
  const { service, counterpart } = await startServiceWith(start, { APP_URL: '' });
  const { settings, totp, users } = service.services;
  // Not verified: a mail to the address is no second factor.
  const bob = await createPasswordAccount(service, { isEmailProven: false });
  counterpart.person = { id: '1', email: 'eve@example.com', isEmailVerified: false };
  await signInAt(service, counterpart);
  const eve = await users.findByEmail('eve@example.com');
  const { person, user: ada } = await signedInVisitor(service);
  await settings.set('require2FA', true);

  await person.open('/auth/ui/login?again=1');
  const { email, password } = bob;
  await person.submit('password', { email, password });
  await users.markEmailProven(bob.id);
  await person.submit('begin');
  expect(await totp.find(bob.id)).toBeDefined();
  const client = browser(service);
  const url = await counterpart.agree(await begin(client, counterpart));
  for (const [name, value] of client.cookies) person.cookies.set(name, value);
  await person.open(url.pathname + url.search);
  await users.markEmailProven(eve?.id ?? '');
  await person.submit('begin');

  expect(await totp.find(eve?.id ?? '')).toBeDefined();
  expect(await totp.find(ada.id)).toBeUndefined();
});

test('the buttons of the providers work however long the path to return to is', async () => {
  const [, start] = counterparts[0] ?? [];
  if (!start) throw new Error('No provider was chosen.');
  const { service, counterpart } = await startServiceWith(start, { APP_URL: '' });
  const query = new URLSearchParams({ return_to: `/${'x'.repeat(511)}` });
  const { html } = await visitor(service).open(`/auth/ui/login?${query}`);
  const [, path = ''] =
    new RegExp(`href="/auth(/oauth/${counterpart.name}[^"]*)"`).exec(html) ?? [];
  expect((await browser(service).get(path)).status).toBe(302);
});

test('an address that has an account is linked by its owner: a mail, and a click', async () => {
  const [, start] = counterparts[0] ?? [];
  if (!start) throw new Error('No provider was chosen.');
  const { service, counterpart } = await startServiceWith(start, { APP_URL: '' });
  counterpart.person = { id: '1', email: 'ada@example.com', isEmailVerified: false };
  // Anybody may have made the account, and chosen its password.
  const ada = await signInAs(service, { email: 'ada@example.com', isEmailProven: false });
  await service.services.password.save(ada.user.id, 'the hash of a password');
  const { client, page: conflict } = await signInAt(service, counterpart);
  const person = visitor(service);
  const elsewhere = await visitor(service).open(conflict.pathname + conflict.search);
  expect(elsewhere.path).toBe('/auth/ui/login');
  for (const [name, value] of client.cookies) person.cookies.set(name, value);

  const opened = await person.open(conflict.pathname + conflict.search);
  expect([opened.path.split('?')[0], opened.html.includes('ada@example.com')]).toEqual([
    '/auth/ui/account-conflict',
    true,
  ]);
  await person.submit('link');
  await person.open(linkIn(service, (await service.mails()).at(-1)));
  const owner = '<p>Your account: <strong>ada@example.com</strong></p>';
  const { html } = await person.open('/auth/ui/link-verify');
  expect([html.includes(owner), html.includes('will be removed')]).toEqual([true, true]);
  const page = await person.submit('link');

  expect([page.path, page.html.includes(ada.user.email)]).toEqual(['/auth/ui/account', true]);
});

test('who links an account with another address at the provider is told that it opened another account', async () => {
  const [, start] = counterparts[0] ?? [];
  if (!start) throw new Error('No provider was chosen.');
  const { service, counterpart } = await startServiceWith(start, { APP_URL: '' });
  counterpart.person = { id: '1', email: 'other@example.com', isEmailVerified: true };
  const { person, user } = await signedInVisitor(service, { email: 'ada@example.com' });
  const linking = '/auth/ui/account/linked-accounts';
  const { html } = await person.open(linking);
  const [, query = ''] = /href="[^"]*(\?return_path=[^"]*)"/.exec(html) ?? [];

  const client = browser(service);
  const url = await counterpart.agree(await begin(client, counterpart, query));
  const { headers } = await comeBack(service, client, url);
  const back = headers.get('location')?.replace(service.config.BASE_URL, '') ?? '';
  expect(back).toBe(`${linking}?as=${user.id}`);
  const linked = await person.open(back);
  expect([linked.alert, linked.html.includes('You are signed in as')]).toEqual([undefined, true]);
  for (const [name, value] of client.cookies) person.cookies.set(name, value);

  expect((await person.open(back)).alert).toContain('You are now signed in as other@example.com.');
});

test('a proof is asked for in place, a wrong one is reported beside it, and the act continues with what was typed', async () => {
  const service = await startWithPages({ ACCESS_TOKEN_TTL: '1h' });
  const account = await createPasswordAccount(service);
  const { person } = await signedInVisitor(service, account);
  await person.open('/auth/ui/account/email');
  service.advance(service.config.REAUTH_WINDOW + 1_000);

  const asked = await person.submit('change', { newEmail: 'new@example.com' });
  expect([asked.status, asked.valueOf('newEmail')]).toEqual([403, 'new@example.com']);
  expect(asked.html).toMatch(/name="currentPassword"[^>]* autofocus/);
  const wrong = await person.submit('change', { currentPassword: 'wrong' });
  expect(wrong.html.match(/ autofocus/g)).toHaveLength(1);
  expect([wrong.errorOf('currentPassword'), wrong.valueOf('newEmail')]).toEqual([
    'The current password is wrong.',
    'new@example.com',
  ]);
  expect(wrong.html).toContain('Sign in again to confirm');
  const done = await person.submit('change', { currentPassword: account.password });

  expect(done.path).toBe('/auth/ui/account/email?done=change');
  expect((await service.mails()).map(({ to }) => to)).toContain('new@example.com');
  expect((await person.open('/auth/ui/account/email')).valueOf('newEmail')).toBeUndefined();
});

test('where the app is needed, a password alone deletes no account', async () => {
  const service = await startWithPages({ ACCESS_TOKEN_TTL: '1h' });
  const account = await createPasswordAccount(service);
  const { person, ...ada } = await signedInVisitor(service, account);
  const { secret } = await enrolTotp(ada);
  await person.open('/auth/ui/account/delete');
  service.advance(service.config.REAUTH_WINDOW + 1_000);

  const asked = await person.submit('delete', { currentPassword: account.password });
  expect([asked.status, asked.html.includes('name="code"')]).toEqual([403, true]);
  expect(asked.html).not.toContain('name="currentPassword"');
  expect(await service.services.users.findById(account.id)).toBeDefined();
  const done = await person.submit('delete', { code: authenticatorCode(secret) });

  expect(done.path).toBe('/auth/ui/account-deleted');
});

test("a copy of one's data does not name the administrators, nor their IP addresses", async () => {
  const service = await startWithPages();
  const { person, user } = await signedInVisitor(service);
  const admin = await signInAtAdmin(service);
  expect((await admin.client.get(`/users/${user.id}/export`)).status).toBe(200);
  await person.open('/auth/ui/account/data');

  const { html } = await person.submit('download');

  expect(html).toContain(user.email);
  expect(html).not.toContain(admin.user.id);
});

test('HEAD is answered as GET at /, and where somebody typed a slash at the end', async () => {
  const { url } = await startWithPages();
  for (const path of ['/', '/auth/ui/login/', '/auth/ui/login']) {
    const [got, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        fetch(url + path, { method, headers: { accept: 'text/html' }, redirect: 'manual' }),
      ),
    );
    expect(head?.status).toBe(got?.status);
    expect(head?.headers.get('location')).toBe(got?.headers.get('location') ?? null);
  }
});
