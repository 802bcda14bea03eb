import { expect, test } from 'vitest';
import { carry } from '../src/features/pages/carried.js';
import { openChallenge, SETUP_TOKEN } from '../src/features/second-factor/challenge.js';
import { challengeOf } from './factor.js';
import { createPasswordAccount } from './flows/password.js';
import { authenticatorCode, enrolTotp } from './flows/totp.js';
import { signInAs } from './sign-in-as.js';
import { signedInVisitor, startWithPages, visitor } from './visitor.js';

const MINUTE = 60_000;

/** A user whose app is set up, on the page of the second step. */
async function atSecondStep() {
  const service = await startWithPages();
  const ada = await signInAs(service);
  const enrolled = await enrolTotp(ada);
  service.advance(MINUTE);
  const person = visitor(service);
  const tempToken = await challengeOf(service, ada);
  const carried = carry(service.config, '/auth/ui/2fa', { tempToken }).value;
  person.cookies.set('carried /auth/ui/2fa', carried);
  await person.open('/auth/ui/2fa');
  return { service, ada, person, ...enrolled };
}

test('the code of the app finishes the sign-in, typed in groups as apps show it', async () => {
  const { ada, person, secret } = await atSecondStep();

  const totpCode = authenticatorCode(secret).replace(/.../g, ' $&');
  const page = await person.submit('totp', { totpCode });

  expect([page.status, page.path]).toEqual([200, '/auth/ui/account']);
  expect(page.html).toContain(ada.user.email);
});

test('a recovery code finishes the sign-in', async () => {
  const { person, recoveryCodes } = await atSecondStep();

  const wrong = await person.submit('recovery', { totpCode: '000000' });
  expect([wrong.status, wrong.errorOf('totpCode')]).toEqual([400, expect.any(String)]);
  const page = await person.submit('recovery', { totpCode: recoveryCodes[0] ?? '' });

  expect(page.path).toBe('/auth/ui/account');
});

test('a user who must have an app sets it up during the sign-in, and sees the recovery codes once', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service);
  await service.services.users.markEmailVerified(ada.user.id);
  const signIn = { userId: ada.user.id, method: 'local', confirm: async () => {} };
  const tempToken = await openChallenge(service.services, signIn, SETUP_TOKEN);
  const person = visitor(service);
  const path = '/auth/ui/2fa-setup';
  const carried = carry(service.config, path, { bearerToken: tempToken }).value;
  person.cookies.set(`carried ${path}`, carried);

  expect((await person.open('/auth/ui/2fa-setup')).html).toContain('Set up a second factor first.');
  const scan = await person.submit('begin');
  const secret = scan.valueOf('secret') ?? '';
  expect(scan.html).toContain(`<code>${secret}</code>`);
  expect(scan.html).toMatch(new RegExp(`href="otpauth://totp/[^"]*secret=${secret}`));
  expect(scan.html).toContain('src="data:image/png;base64,');
  const wrong = await person.submit('confirm', { token: '000000' });
  expect([wrong.status, wrong.valueOf('secret')]).toEqual([400, secret]);
  const done = await person.submit('confirm', { token: authenticatorCode(secret) });

  expect(done.html.match(/<li><code>/g)).toHaveLength(10);
  expect(done.html).toContain('>Sign in with your new app</a>');
  expect((await person.open('/auth/ui/2fa-setup')).path).toContain('/auth/ui/login');
});

test('attack: a thief with the first factor is not shown the key of a set-up that the owner has begun', async () => {
  const service = await startWithPages();
  const { user } = await signInAs(service);
  const path = '/auth/ui/2fa-setup';
  const [owner, thief] = [visitor(service), visitor(service)];
  for (const { cookies } of [owner, thief]) {
    const signIn = { userId: user.id, method: 'local', confirm: async () => {} };
    const bearerToken = await openChallenge(service.services, signIn, SETUP_TOKEN);
    cookies.set(`carried ${path}`, carry(service.config, path, { bearerToken }).value);
  }
  await owner.open(path);
  const key = (await owner.submit('begin')).valueOf('secret') ?? '';

  expect((await thief.open(`${path}?done=begin`)).html).not.toContain(key);
  const done = await owner.submit('confirm', { token: authenticatorCode(key) });
  expect(done.html).toContain('>Sign in with your new app</a>');
});

test('attack: a planted token of a set-up does not make a signed-in user set up the app of another', async () => {
  const service = await startWithPages();
  const mallory = await signInAs(service);
  const signIn = { userId: mallory.user.id, method: 'local', confirm: async () => {} };
  const bearerToken = await openChallenge(service.services, signIn, SETUP_TOKEN);
  const { person, user } = await signedInVisitor(service);
  const path = '/auth/ui/2fa-setup';
  person.cookies.set(`carried ${path}`, carry(service.config, path, { bearerToken }).value);

  await person.open(path);
  await person.submit('begin');

  expect(await service.services.totp.find(mallory.user.id)).toBeUndefined();
  expect(await service.services.totp.find(user.id)).toBeDefined();
});

test('a wrong code is reported beside its field, and not shown again', async () => {
  const { person } = await atSecondStep();

  const page = await person.submit('totp', { totpCode: '000000' });

  expect(page.status).toBe(400);
  expect(page.errorOf('totpCode')).toBe('The code is wrong or was already used.');
  expect(page.valueOf('totpCode')).toBeUndefined();
  // The other one is for a recovery code.
  expect(page.html.match(/<input type="text"/g)).toHaveLength(2);
});

test('a sign-in that has expired begins again', async () => {
  const { service, person } = await atSecondStep();
  service.advance(10 * MINUTE);

  const page = await person.open('/auth/ui/2fa');

  expect(page.path).toBe('/auth/ui/login?error=INVALID_TEMP_TOKEN');
  expect(page.alert).toBe(
    'This sign-in has expired, or there were too many wrong codes. Start again.',
  );
  const { alert } = await person.open('/auth/ui/2fa');
  expect(alert).toBe('This sign-in has expired. Start again.');
});

test('a code sent after the cookie of the second step is gone begins again, and keeps where to go', async () => {
  const { person, secret } = await atSecondStep();
  const returnTo = new URLSearchParams({ return_to: '/auth/ui/account/sessions' });
  await person.open(`/auth/ui/2fa?${returnTo}`);
  person.cookies.delete('carried /auth/ui/2fa');

  const page = await person.submit('totp', { totpCode: authenticatorCode(secret) });

  expect(page.path).toBe(`/auth/ui/login?error=TEMP_TOKEN_REQUIRED&${returnTo}`);
  expect([page.status, page.alert]).toEqual([200, 'This sign-in has expired. Start again.']);
});

test('a sign-in that was stopped after five wrong codes begins again', async () => {
  const { person } = await atSecondStep();
  for (let guess = 0; guess < 5; guess += 1) {
    expect((await person.submit('totp', { totpCode: `00000${guess}` })).status).toBe(400);
  }

  const page = await person.submit('totp', { totpCode: '000005' });

  expect(page.path).toBe('/auth/ui/login?error=INVALID_TEMP_TOKEN');
  expect((await person.open('/auth/ui/2fa')).path).toContain('/auth/ui/login');
});

test('attack: whoever signs in next in a browser sets up their own app, not that of the one before', async () => {
  const service = await startWithPages();
  const ada = await createPasswordAccount(service, { email: 'ada@example.com' });
  const bob = await createPasswordAccount(service, { email: 'bob@example.com' });
  const person = visitor(service);
  // As a sign-in leaves it that requires a set-up.
  const signIn = { userId: ada.id, method: 'local', confirm: async () => {} };
  const bearerToken = await openChallenge(service.services, signIn, SETUP_TOKEN);
  person.cookies.set(
    'carried /auth/ui/2fa-setup',
    carry(service.config, '/auth/ui/2fa-setup', { bearerToken, guard: '' }).value,
  );
  await person.open('/auth/ui/login');
  await person.submit('password', { email: bob.email, password: bob.password });

  await person.open('/auth/ui/2fa-setup');
  const scan = await person.submit('begin');
  await person.submit('confirm', { token: authenticatorCode(scan.valueOf('secret') ?? '') });

  expect((await service.services.totp.find(ada.id))?.secret).toBeFalsy();
  expect((await service.services.totp.find(bob.id))?.secret).toBeTruthy();
});
