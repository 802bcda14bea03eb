import { expect, test } from 'vitest';
import { carry } from '../src/features/pages/carried.js';
import { openChallenge, SETUP_TOKEN } from '../src/features/second-factor/challenge.js';
import { CHALLENGE } from '../src/session/end-session.js';
import { nativeClient } from './client.js';
import { ADA } from './policy.js';
import { signInAs } from './sign-in-as.js';
import { signedInVisitor, startWithPages, visitor } from './visitor.js';

const SESSIONS = '/auth/ui/account/sessions';

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
