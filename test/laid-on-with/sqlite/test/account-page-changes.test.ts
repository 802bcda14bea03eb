import { expect, test } from 'vitest';
import { createPasswordAccount, opensWith } from './flows/password.js';
import { startTextingService } from './flows/sms.js';
import { authenticatorCode, enrolTotp } from './flows/totp.js';
import { signInAs } from './sign-in-as.js';
import { signedInVisitor, startWithPages, visitor } from './visitor.js';

const PHONE_PAGE = '/auth/ui/account/phone';

const APP_PAGE = '/auth/ui/account/authenticator';

async function withApp() {
  const service = await startWithPages({ ACCESS_TOKEN_TTL: '1h' });
  const ada = await signedInVisitor(service);
  const enrolled = await enrolTotp(ada);
  return { service, ...ada, ...enrolled };
}

const PASSWORD_PAGE = '/auth/ui/account/password';
const newPassword = 'a password that is new';

test('a number is added by the code that it is texted, and removed again', async () => {
  const phones = await startTextingService({}, startWithPages);
  const { service } = phones;
  const { person, user } = await signedInVisitor(service);
  await person.open(PHONE_PAGE);

  const sent = await person.submit('add', { phoneNumber: '+49 151 12345678' });
  expect(sent.html).toContain('autocomplete="one-time-code"');
  expect(sent.html).toContain('The code was sent to the phone number ending in 678.');
  expect(sent.html).not.toContain('12345678');
  const another = /href="([^"]*another=1)"/.exec((await person.open(PHONE_PAGE)).html)?.[1] ?? '';
  expect((await person.open(another)).html).toContain('name="phoneNumber"');
  await person.open(PHONE_PAGE);
  const wrong = await person.submit('verify', { code: await phones.wrongCode() });
  expect([wrong.status, wrong.errorOf('code')]).toEqual([
    400,
    'This code is wrong or no longer valid.',
  ]);
  expect(wrong.html).toContain('ending in 678.');
  const code = (await phones.lastCode()).replace(/.../g, ' $&');
  const added = await person.submit('verify', { code });
  expect([added.path, added.html.includes('+4915112345678')]).toEqual([
    `${PHONE_PAGE}?done=verify`,
    true,
  ]);
  await person.submit('remove');

  expect(await service.services.sms.findNumber(user.id)).toBeUndefined();
});

test('the next user of a browser sees nothing of a code that was texted', async () => {
  const { service } = await startTextingService({}, startWithPages);
  const { person } = await signedInVisitor(service);
  await person.open(PHONE_PAGE);
  await person.submit('add', { phoneNumber: '+49 151 12345678' });

  person.cookies.set('accessToken', (await signInAs(service)).accessToken);

  expect((await person.open(PHONE_PAGE)).html).not.toMatch(/one-time-code|ends in 678/);
});

test('a malformed number is reported beside its field, and kept there', async () => {
  const service = await startWithPages();
  const { person } = await signedInVisitor(service);
  await person.open(PHONE_PAGE);

  const page = await person.submit('add', { phoneNumber: '"><b>0151' });

  expect(page.status).toBe(400);
  expect(page.errorOf('phoneNumber')).toContain('country code');
  expect(page.valueOf('phoneNumber')).toBe('"><b>0151');
});

test('new recovery codes are shown once, one an item, and the old ones are void', async () => {
  const { person, service, user } = await withApp();
  await person.open(APP_PAGE);

  const page = await person.submit('renew');

  expect(page.html.match(/<li><code>/g)).toHaveLength(10);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect((await person.open(APP_PAGE)).html).not.toContain('<li><code>');
  expect(await service.services.totp.countRecoveryCodes(user.id)).toBe(10);
});

test('turning the app off in an old session asks for its code, and then continues', async () => {
  const { person, service, user, secret } = await withApp();
  await person.open(APP_PAGE);
  service.advance(service.config.REAUTH_WINDOW + 1_000);

  const asked = await person.submit('disable');
  expect([asked.status, asked.alert]).toEqual([403, 'Please confirm that it is you.']);
  expect(asked.html).toContain('<details open>');
  expect(asked.html).not.toMatch(/name="current/);
  const wrong = await person.submit('disable', { code: '000000' });
  expect(wrong.errorOf('code')).toBe('The code is wrong or was already used.');
  const done = await person.submit('disable', { code: authenticatorCode(secret) });

  expect([done.status, done.path]).toEqual([200, `${APP_PAGE}?done=disable`]);
  expect((await service.services.users.findAccount(user.id))?.isTotpEnabled).toBe(false);
});

test('moving to another app leads through the set-up and back', async () => {
  const { person } = await withApp();

  const page = await person.open(APP_PAGE);

  expect(page.html).toContain(`/auth/ui/2fa-setup?return_to=${encodeURIComponent(APP_PAGE)}`);
});

test('the password is changed with the current one, and other sessions end', async () => {
  const service = await startWithPages();
  const account = await createPasswordAccount(service);
  const { person } = await signedInVisitor(service, account);
  const other = await signInAs(service, account);
  const form = await person.open(PASSWORD_PAGE);
  expect(form.html).toContain('autocomplete="current-password"');
  expect(form.html).toContain('autocomplete="new-password"');

  const page = await person.submit('change', { currentPassword: account.password, newPassword });

  expect([page.status, page.path]).toEqual([200, `${PASSWORD_PAGE}?done=change`]);
  expect(await opensWith(service, account, newPassword)).toBe(true);
  expect((await other.client.get('/me')).body.code).toBe('SESSION_REVOKED');
});

test('a wrong current password is reported beside its field, and no password is shown again', async () => {
  const service = await startWithPages();
  const account = await createPasswordAccount(service);
  const { person } = await signedInVisitor(service, account);
  await person.open(PASSWORD_PAGE);

  const page = await person.submit('change', { currentPassword: 'wrong', newPassword });

  expect([page.status, page.errorOf('currentPassword')]).toEqual([
    400,
    'The current password is wrong.',
  ]);
  expect(page.html).not.toContain('Sign in again');
  expect([page.valueOf('currentPassword'), page.valueOf('newPassword')]).toEqual([
    undefined,
    undefined,
  ]);
  expect(await opensWith(service, account, account.password)).toBe(true);
});

test('a new password states its lengths, to people and to password managers; the current one none', async () => {
  const service = await startWithPages({ PASSWORD_MIN_LENGTH: '10' });
  const { person } = await signedInVisitor(service, await createPasswordAccount(service));
  const inputs = async (path: string) => {
    const { html } = await (path === PASSWORD_PAGE ? person : visitor(service)).open(path);
    expect(html.match(/Use at least 10 characters\./g)).toHaveLength(1);
    return html.match(/<input type="password"[^>]*>/g) ?? [];
  };
  const [current, ...changed] = await inputs(PASSWORD_PAGE);
  expect(current).not.toMatch(/minlength|passwordrules/);
  for (const input of [...changed, ...(await inputs('/auth/ui/register'))]) {
    expect(input).toContain('minlength="10" passwordrules="minlength: 10; maxlength: 72;"');
    expect(input).toMatch(/aria-describedby="[\w-]+-hint"/);
  }
});

test('a user without a password sets the first one', async () => {
  const service = await startWithPages();
  const { person, user } = await signedInVisitor(service);
  expect((await person.open(PASSWORD_PAGE)).html).not.toContain('current-password');

  const page = await person.submit('change', { newPassword });

  expect(page.path).toBe(`${PASSWORD_PAGE}?done=change`);
  expect(await opensWith(service, user, newPassword)).toBe(true);
});
