import { expect, test } from 'vitest';
import { createPasswordAccount, opensWith } from '../../../../test/flows/password.js';
import { linkIn, startWithPages, visitor } from '../../../../test/visitor.js';
import { password as passwords } from '../feature.js';

test('signing in leads to the page that was requested', async () => {
  const service = await startWithPages();
  const { email, password } = await createPasswordAccount(service);
  const person = visitor(service);
  await person.open('/auth/ui/account?of=mine');

  const page = await person.submit('password', { email, password });

  expect([page.status, page.path]).toEqual([200, '/auth/ui/account?of=mine']);
  expect(page.html).toContain(email);
});

test('after a wrong password all other input is kept', async () => {
  const service = await startWithPages();
  const { email } = await createPasswordAccount(service);
  const person = visitor(service);
  await person.open('/auth/ui/login');

  const page = await person.submit('password', { email, password: 'wrong' });

  expect([page.status, page.alert]).toEqual([401, 'The email address or the password is wrong.']);
  expect([page.valueOf('email'), page.valueOf('password')]).toEqual([email, undefined]);
  expect((await service.events()).map(({ event }) => event)).toContain(
    'identity.auth.login.failed',
  );
});

test('the sign-in form of another visit is refused: it needs its own cookie', async () => {
  const service = await startWithPages();
  const { email, password } = await createPasswordAccount(service);
  const mallory = visitor(service);
  const guard = (await mallory.open('/auth/ui/login')).valueOf('guard') ?? '';
  const victim = visitor(service);

  const page = await victim.post('/auth/ui/login', { guard, form: 'password', email, password });

  expect(page.status).toBe(403);
  expect([...victim.cookies.keys()]).not.toContain('accessToken');
});

test('pages and API count guesses together', async () => {
  const service = await startWithPages({ RATE_LIMIT: 'on' });
  const { email } = await createPasswordAccount(service);
  const person = visitor(service);
  await person.open('/auth/ui/login');

  for (let guess = 0; guess < passwords.limits.loginOfAccount.points; guess += 1) {
    expect((await person.submit('password', { email, password: 'wrong' })).status).toBe(401);
  }
  const page = await person.submit('password', { email, password: 'wrong' });

  expect([page.status, page.alert]).toEqual([429, 'Too many attempts. Try again in 5 minutes.']);
  expect(page.valueOf('email')).toBe(email);
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('the mailed link resets the password, and its token is in no address', async () => {
  const service = await startWithPages({ BASE_URL: 'http://auth.test/' });
  const { email } = await createPasswordAccount(service);
  const person = visitor(service);
  await person.open('/auth/ui/forgot-password');
  await person.submit('forgot', { email });
  const link = linkIn(service, (await service.mails()).at(-1));

  const { path, html } = await person.open(link);
  expect([path, html.includes(link.slice(-64))]).toEqual(['/auth/ui/reset-password', false]);
  const page = await person.submit('reset', { newPassword: 'a password that is new' });

  expect(page.path).toBe('/auth/ui/reset-password?done=reset');
  expect(await opensWith(service, { email }, 'a password that is new')).toBe(true);
  expect([...person.cookies.keys()]).not.toContain('carried /auth/ui/reset-password');
  expect((await person.open(link)).alert).toBe('This link is no longer valid.');
});
