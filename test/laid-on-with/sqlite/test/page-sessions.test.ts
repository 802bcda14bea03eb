import { expect, test } from 'vitest';
import { carry } from '../src/features/pages/carried.js';
import { openChallenge, SETUP_TOKEN } from '../src/features/second-factor/challenge.js';
import { CHALLENGE } from '../src/session/end-session.js';
import { nativeClient } from './client.js';
import { startOwnApp } from './own-app.js';
import { ADA } from './policy.js';
import { signInAs } from './sign-in-as.js';
import { linkIn, signedInVisitor, startWithPages, visitor } from './visitor.js';

const { email, ...rest } = ADA;
const secrets: Record<string, string> = rest;

const SESSIONS = '/auth/ui/account/sessions';

test('the style sheet has the hash of its content in its name, and is kept for a year', async () => {
  const service = await startWithPages();
  const { html } = await visitor(service).open('/auth/ui/login');
  const path = /\/auth\/ui\/assets\/style-[0-9a-f]{12}\.css/.exec(html)?.[0] ?? '';

  const { status, headers } = await visitor(service).open(path);

  expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test('what is no page answers in JSON as ever', async () => {
  const service = await startWithPages();

  for (const path of ['/auth/no-such-route', '/no-such-route']) {
    const { status, headers } = await visitor(service).open(path);
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  }
});

test('a slash at the end of an address leads to its page, and never to another site', async () => {
  const service = await startWithPages();
  const locationOf = async (path: string) => {
    const { status, headers } = await fetch(service.url + path, { redirect: 'manual' });
    return [status, headers.get('location')];
  };

  expect(await locationOf('/admin/')).toEqual([303, '/admin']);
  expect(await locationOf('/auth/ui/login/')).toEqual([303, '/auth/ui/login']);
  expect(await locationOf('/auth/ui/login//')).toEqual([303, '/auth/ui/login/']);
  const posted = await fetch(`${service.url}/auth/ui/login/`, { method: 'POST' });
  expect(posted.status).toBe(404);
  for (const path of ['//evil.test/', '//evil.test/admin/', '/admin/api/users/', '/auth/me/']) {
    expect(await locationOf(path), path).toEqual([404, null]);
  }
});

test('past ACCESS_TOKEN_TTL the session is renewed on the way, and two tabs at once both go on', async () => {
  const service = await startWithPages();
  const { person } = await signedInVisitor(service);
  const otherTab = visitor(service);
  for (const [name, value] of person.cookies) otherTab.cookies.set(name, value);
  service.advance(service.config.ACCESS_TOKEN_TTL + 1_000);

  const pages = await Promise.all([
    person.open('/auth/ui/account'),
    otherTab.open('/auth/ui/account'),
  ]);

  expect(pages.map(({ path }) => path)).toEqual(['/auth/ui/account', '/auth/ui/account']);
  expect((await otherTab.open('/auth/ui/account')).status).toBe(200);
});

test('a refused form does not cost the session that was renewed for it', async () => {
  const service = await startWithPages();
  const { person } = await signedInVisitor(service);
  service.advance(service.config.ACCESS_TOKEN_TTL + 1_000);

  expect((await person.post('/auth/ui/account/profile', { form: 'profile' })).status).toBe(403);
  service.advance(service.config.REFRESH_REUSE_WINDOW + 1_000);

  expect((await person.open('/auth/ui/account')).path).toBe('/auth/ui/account');
});

test('a page that the refresh token is not sent to goes through one that it is sent to', async () => {
  const service = await startWithPages();
  const { person } = await signedInVisitor(service);
  service.advance(service.config.ACCESS_TOKEN_TTL + 1_000);

  for (const start of ['/auth/ui/', '/auth/ui']) {
    const there = await person.open(`${start}?return_to=%2Fauth%2Fui%2Fsign-out`);
    expect(there.path).toBe('/auth/ui/sign-out');
  }
});

test('pages in an app of a team start at an address with a slash at the end too', async () => {
  const { url } = await startOwnApp();

  for (const start of ['/auth/ui/', '/auth/ui']) {
    const answer = await fetch(`${url}${start}?return_to=%2Fown`, { redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/auth/ui/login?return_to=%2Fown');
  }
});

test('all input is shown as text', async () => {
  const service = await startWithPages();
  const person = visitor(service);
  await person.open('/auth/ui/login');
  const email = '"><script>alert(1)</script>@example.com';

  const page = await person.submit('password', { email, password: 'wrong' });

  expect(page.valueOf('email')).toBe(email);
  expect(page.html).not.toContain('<script>alert');
});

test('a link that was used says so, and a new one is not taken for it', async () => {
  const service = await startWithPages();
  const person = visitor(service);

  const page = await person.open('/auth/ui/magic-link?token=used');
  expect([page.status, page.alert]).toEqual([400, 'This link is no longer valid.']);
  await person.open('/auth/ui/login');
  const sent = await person.submit('magic-link', { email });

  expect([sent.path, sent.heading]).toEqual(['/auth/ui/magic-link', 'Check your mailbox']);
});

test('the page of a used link says so at once, and offers a new one', async () => {
  const service = await startWithPages();
  for (const [path, onward] of [
    ['reset-password', 'forgot-password'],
    ['change-email', 'account/email'],
    ['link-verify', 'login'],
    ['magic-link', 'login'],
  ]) {
    const page = await visitor(service).open(`/auth/ui/${path}?token=used`);

    expect([path, page.status, page.alert]).toEqual([path, 400, 'This link is no longer valid.']);
    expect(page.html).not.toMatch(/name="form"|is on its way|Open the link/);
    expect(page.html).toContain(`href="/auth/ui/${onward}"`);
  }
});

test('a link that proves an address for the first time says before what it removes', async () => {
  const service = await startWithPages();
  const owner = visitor(service);
  await owner.open('/auth/ui/register');
  await owner.submit('register', { email, password: 'a password that is new' });
  const elsewhere = visitor(service);
  await elsewhere.open('/auth/ui/login');
  await elsewhere.submit('magic-link', { email });
  const link = linkIn(service, (await service.mails()).at(-1));

  expect((await elsewhere.open(link)).html).toContain('will be removed');
  expect((await owner.open(link)).html).not.toContain('will be removed');
});

test('a link whose page was open for too long says to open it again', async () => {
  const service = await startWithPages();
  const { user } = await signInAs(service);
  const person = visitor(service);
  await person.open('/auth/ui/login');
  await person.submit('magic-link', { email: user.email });
  await person.open(linkIn(service, (await service.mails()).at(-1)));
  person.cookies.delete('carried /auth/ui/magic-link');

  const page = await person.submit('verify');

  expect([page.path, page.alert]).toEqual(['/auth/ui/magic-link', undefined]);
  expect(page.html).toContain('Open the link from the email in this browser.');
});

test('a mailed link leads on to the page that was requested, in the browser that asked for it', async () => {
  const service = await startWithPages();
  const { user } = await signInAs(service);
  const person = visitor(service);
  await person.open('/auth/ui/account/profile');
  await person.submit('magic-link', { email: user.email });
  const link = linkIn(service, (await service.mails()).at(-1));

  const opened = await person.open(link);
  expect(opened.path).not.toContain('token');
  const page = await person.submit('verify');

  expect(page.path).toBe('/auth/ui/account/profile');
});

test('attack: a planted cookie leads nobody to another site', async () => {
  const service = await startWithPages();
  const person = visitor(service);
  const carried = carry(service.config, '/auth/ui/magic-link', { return_to: '//evil.example' });
  person.cookies.set('carried /auth/ui/magic-link', carried.value);

  expect((await person.open('/auth/ui/magic-link?token=any')).path).toBe('/auth/ui/magic-link');
});

test('attack: a cookie that a sibling domain planted neither changes what a form sends, nor for whom', async () => {
  const service = await startWithPages();
  const thief = await signInAs(service);
  const { person } = await signedInVisitor(service, { email: 'ada@example.com' });
  const plant = (path: string, fields: object) =>
    person.cookies.set(`carried ${path}`, JSON.stringify(fields));

  plant('/auth/ui/account/email', { newEmail: 'thief@example.net' });
  await person.open('/auth/ui/account/email');
  await person.submit('change', { newEmail: 'ada@example.net' });
  plant('/auth/ui/account/profile', { bearerToken: thief.accessToken });
  await person.open('/auth/ui/account/profile');
  await person.submit('profile', { name: 'Ada' });

  expect((await service.mails()).map(({ to }) => to)).toEqual(['ada@example.net']);
  expect((await thief.client.get('/me')).body.metadata).toEqual({});
});

test('a visitor returns to a path in any script, which a header can only hold percent-encoded', async () => {
  const service = await startWithPages();
  const { accessToken } = await signInAs(service);
  const headers = { accept: 'text/html', cookie: `accessToken=${accessToken}` };
  for (const [path = '', location] of [
    ['/→', '/%E2%86%92'],
    ['/é?q=%20&ü', '/%C3%A9?q=%20&%C3%BC'],
    ['/\u{1f600}', '/%F0%9F%98%80'],
  ]) {
    const search = new URLSearchParams({ return_to: path });
    const url = `${service.url}/auth/ui/login?${search}`;
    const answer = await fetch(url, { headers, redirect: 'manual' });
    expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 303, location]);
  }
});

test('a signed-out visitor returns to the set-up of an app, and from there to where they were', async () => {
  const path = '/auth/ui/2fa-setup?return_to=%2Fauth%2Fui%2Faccount%2Fauthenticator';

  const page = await visitor(await startWithPages()).open(path);

  expect(page.path).toBe(`/auth/ui/login?${new URLSearchParams({ return_to: path })}`);
});

test('a missing password is reported in the language of the browser', async () => {
  const person = visitor(await startWithPages());
  const german = { 'accept-language': 'de' };
  await person.open('/auth/ui/login', german);

  const page = await person.submit('password', { email, password: '' }, german);

  expect(page.errorOf('password')).toBe('Geben Sie ein Passwort ein.');
});

test('a taken address is reported beside its field', async () => {
  const service = await startWithPages();
  const person = visitor(service);
  await person.open('/auth/ui/register');
  await person.submit('register', { email, ...secrets });
  await person.open('/auth/ui/register');

  const page = await person.submit('register', { email, ...secrets });

  expect(page.status).toBe(409);
  expect(page.errorOf('email')).toBe('There is already an account with this address.');
});

test('an unknown page is an HTML page, in the language of the browser', async () => {
  const service = await startWithPages({ AUTH_PREFIX: '/api/auth' });
  const german = { 'accept-language': 'de-CH, en;q=0.5' };

  const english = await visitor(service).open('/api/auth/ui/no', { 'accept-language': 'xx' });
  const swiss = await visitor(service).open('/api/auth/ui/no/such/page', german);

  expect([english.status, english.heading]).toEqual([404, 'There is nothing here']);
  expect([swiss.status, swiss.heading]).toEqual([404, 'Hier ist nichts']);
  expect(swiss.html).toContain('<html lang="de">');
});

test('the next user of a browser does not see what the one before had typed', async () => {
  const service = await startWithPages();
  const { person, user, sessionId } = await signedInVisitor(service);
  await person.open('/auth/ui/account/profile');
  await service.services.sessions.revoke(sessionId, user.id);
  await person.submit('profile', { name: 'A secret of Ada' });

  person.cookies.set('accessToken', (await signInAs(service)).accessToken);

  expect((await person.open('/auth/ui/account/profile')).html).not.toContain('A secret of Ada');
});

test('after signing out in another tab the page says so, and asks for no sign-in', async () => {
  const service = await startWithPages();
  const { person, user, sessionId } = await signedInVisitor(service);
  await person.open('/auth/ui/account');
  await service.services.sessions.revoke(sessionId, user.id);

  const page = await person.submit('sign-out');

  expect([page.status, page.path]).toEqual([200, '/auth/ui/signed-out']);
});

test('a session that ends in the middle of the set-up of an app leads through the sign-in, and back', async () => {
  const service = await startWithPages();
  const { person, user, sessionId } = await signedInVisitor(service);
  await person.open('/auth/ui/2fa-setup');
  await service.services.sessions.revoke(sessionId, user.id);

  const page = await person.submit('begin');

  expect(page.path).toBe('/auth/ui/login?return_to=%2Fauth%2Fui%2F2fa-setup');
});

test('attack: a word that every object knows is no form, no error code and nothing that was done', async () => {
  const service = await startWithPages();
  const { person } = await signedInVisitor(service, { role: 'admin' });
  const stranger = visitor(service);
  for (const word of ['constructor', '__proto__', 'toString']) {
    const { status, alert } = await stranger.open(`/auth/ui/login?error=${word}`);
    expect([word, status, alert]).toEqual([word, 200, expect.any(String)]);
    const guard = (await stranger.open('/auth/ui/login')).valueOf('guard') ?? '';
    const sent = await stranger.post('/auth/ui/login', { guard, form: word });
    expect([word, sent.status]).toEqual([word, 404]);
    for (const path of [SESSIONS, '/admin/settings']) {
      const page = await person.open(`${path}?done=${word}`);
      expect([word, path, page.status]).toEqual([word, path, 200]);
      expect(page.html).not.toContain('native code');
    }
  }
});

const SET_UP = '/auth/ui/2fa-setup';

test('attack: a stolen session whose sign-in is old does not see the key of an app that its owner began to set up', async () => {
  const service = await startWithPages({ ACCESS_TOKEN_TTL: '1h' });
  const { person } = await signedInVisitor(service);
  await person.open(SET_UP);
  expect((await person.submit('begin')).valueOf('secret')).toMatch(/^[A-Z2-7]{32}$/);
  expect((await person.open(`${SET_UP}?done=begin`)).valueOf('secret')).toBeDefined();

  service.advance(service.config.REAUTH_WINDOW + 1000);

  const page = await person.open(`${SET_UP}?done=begin`);
  expect([page.path.split('?')[0], page.valueOf('secret')]).toEqual(['/auth/ui/login', undefined]);
});

test('attack: the token of a sign-in that was stopped does not show the key that its owner sets up', async () => {
  const service = await startWithPages();
  const { user, person } = await signedInVisitor(service);
  const thief = visitor(service);
  const signIn = { userId: user.id, method: 'local', confirm: async () => {} };
  const tempToken = await openChallenge(service.services, signIn, SETUP_TOKEN);
  const carried = carry(service.config, SET_UP, { bearerToken: tempToken });
  thief.cookies.set(`carried ${SET_UP}`, carried.value);
  await service.services.oneTimeTokens.revokeAll(user.id, CHALLENGE);
  await person.open(SET_UP);
  expect((await person.submit('begin')).valueOf('secret')).toBeDefined();

  expect((await thief.open(`${SET_UP}?done=begin`)).valueOf('secret')).toBeUndefined();
});

test('a refresh token that is none leads to the sign-in, as if it were not there', async () => {
  const person = visitor(await startWithPages());
  person.cookies.set('refreshToken', 'nonsense');

  const { status, path } = await person.open(SESSIONS);

  expect([status, path.split('?')[0]]).toEqual([200, '/auth/ui/login']);
});

test('a visitor is known by cookies alone, and gets cookies alone', async () => {
  const service = await startWithPages();
  await nativeClient(service).post('/register', ADA);
  const { accessToken } = (await nativeClient(service).post('/login', ADA)).body;
  const person = visitor(service);
  const ofApi = { authorization: `Bearer ${accessToken}`, 'x-auth-strategy': 'bearer' };

  expect((await person.open(SESSIONS, ofApi)).heading).toBe('Sign in');
  expect((await person.submit('password', ADA, ofApi)).path).toBe(SESSIONS);
});

test('attack: neither a sibling domain nor a form of another site gets a visit of its choice', async () => {
  const variables = { BASE_URL: 'https://auth.test', COOKIE_SAMESITE: 'none' };
  const service = await startWithPages(variables);

  const { headers } = await fetch(`${service.url}/auth/ui/login`);

  expect(headers.get('set-cookie')).toMatch(
    /^__Host-visit=[\da-f]{64}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});
