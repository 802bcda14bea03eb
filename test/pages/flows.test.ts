import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.js';
import { appCode, enrol } from './authenticator.js';
import {
  addressOf,
  administer,
  newPerson,
  type Person,
  pathOf,
  register,
  send,
  signedUp,
  signIn,
  signOut,
} from './people.js';
import { administrator, combinations, openSite, type Site } from './site.js';

const ACCOUNT = '/auth/ui/account';

async function expectSignedIn({ page, email }: Person): Promise<void> {
  expect(pathOf(page)).toBe(ACCOUNT);
  expect(await page.locator('main').textContent()).toContain(email);
}

let site: Site;

/** Adds the user's phone number, with the code texted to it. */
async function addPhone({ page, email }: Person): Promise<string> {
  const [digits] = /\d+/.exec(email) ?? [];
  const phoneNumber = `+4915112${String(digits).padStart(6, '0')}`;
  await page.goto(`${ACCOUNT}/phone`);
  await send(page, 'add', { phoneNumber });
  await send(page, 'verify', { code: await site.codeTo(phoneNumber) });
  await page.goto(ACCOUNT);
  return phoneNumber;
}

describe.runIf(hasChromium()).each(combinations)(
  'pages with $framework and $database',
  (combination) => {
    beforeAll(async () => {
      site = await openSite('flows', combination);
    });

    afterAll(() => site?.close());

    test('a double click sends a form once', async () => {
      const { page, email, password } = newPerson(await site.visit({ javaScriptEnabled: true }));
      let sent = 0;
      await page.route('**/ui/register', async (route) => {
        if (route.request().method() === 'POST') {
          sent += 1;
          await new Promise((resume) => setTimeout(resume, 1_000));
        }
        await route.continue();
      });
      await page.goto('/auth/ui/register');
      await page.fill('input[name=email]', email);
      await page.fill('input[name=password]', password);
      await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'POST'),
        page.locator('button[value=register]').evaluate((button) => {
          button.click();
          setTimeout(() => button.click(), 150);
        }),
      ]);
      await page.waitForLoadState();
      expect(sent).toBe(1);
    });

    // Both on the first framework; on the others, only what depends on scripts and the framework's form parser.
    const modes = combination === combinations[0] ? [true, false] : [true];

    describe.each(modes)('scripts: %s', (javaScriptEnabled) => {
      const visit = () => site.visit({ javaScriptEnabled });

      test('a user registers, opens the mailed link, signs out and in again', async () => {
        const person = newPerson(await visit());
        const { page } = person;
        await register(person);
        await signIn(person);
        expect(pathOf(page)).toBe('/auth/ui/login');

        await page.goto(await site.linkTo(person.email, '/verify-email'));
        expect(addressOf(page)).toBe('/auth/ui/email-verified');
        await signIn(person);
        await expectSignedIn(person);
        await signOut(page);
        expect(pathOf(page)).toBe('/auth/ui/signed-out');
        await signIn(person);
        await expectSignedIn(person);
      });

      test('an address may have letters of every script', async () => {
        const person = newPerson(await visit(), 'jörg');
        await register(person);
        await person.page.goto(await site.linkTo(person.email, '/verify-email'));
        await signIn(person);
        await expectSignedIn(person);
      });

      test('a forgotten password is set anew by the mailed link, and the old one is gone', async () => {
        const person = await signedUp(site, await visit());
        const { page, email } = person;
        await signOut(page);
        await page.goto('/auth/ui/forgot-password');
        await send(page, 'forgot', { email });

        await page.goto(await site.linkTo(email, '/reset-password'));
        expect(addressOf(page)).toBe('/auth/ui/reset-password');
        await send(page, 'reset', { newPassword: 'another password of mine' });

        await signIn(person);
        expect(await page.getByRole('alert').textContent()).toContain('wrong');
        await signIn({ ...person, password: 'another password of mine' });
        await expectSignedIn(person);
      });

      test('a mailed link signs in by a click, also after a scanner has opened it', async () => {
        const person = await signedUp(site, await visit());
        const { page, email } = person;
        await signOut(page);
        await page.goto('/auth/ui/login');
        await send(page, 'magic-link', { email });
        const link = await site.linkTo(email, '/magic-link');

        const scanner = await visit();
        await scanner.goto(link);
        await scanner.close();
        await page.goto(link);
        expect(addressOf(page)).toBe('/auth/ui/magic-link');
        await send(page, 'verify');

        await expectSignedIn(person);
      });

      test('an authenticator app is set up, and asked for at the next sign-in', async () => {
        const person = await enrol(site, await visit());
        const { page, secret } = person;
        await page.goto(ACCOUNT);
        await signOut(page);
        await signIn(person);
        expect(addressOf(page)).toBe('/auth/ui/2fa');

        const refused = await send(page, 'totp', { totpCode: '000000' });
        expect(refused?.status()).toBe(400);
        await send(page, 'totp', { totpCode: appCode(secret, 1) });

        await expectSignedIn(person);
      });

      test('a recovery code stands in for the app once', async () => {
        const person = await enrol(site, await visit());
        const { page, recoveryCodes } = person;
        const [totpCode = ''] = recoveryCodes;
        await page.goto(ACCOUNT);
        await signOut(page);
        await signIn(person);
        await send(page, 'recovery', { totpCode });
        await expectSignedIn(person);
        await signOut(page);

        await signIn(person);
        await send(page, 'recovery', { totpCode });

        expect(pathOf(page)).toBe('/auth/ui/2fa');
        expect(await page.locator('details[open] .error').textContent()).not.toBe('');
      });

      test('a sign-in at a provider opens an account; an address that is taken is linked by its owner', async () => {
        const stranger = newPerson(await visit());
        site.provider.person = { id: stranger.email, email: stranger.email, isEmailVerified: true };
        await stranger.page.goto('/auth/ui/login');
        await stranger.page.locator('a[href*="/oauth/google"]').click();
        await stranger.page.waitForURL(`**${ACCOUNT}`);
        await expectSignedIn(stranger);

        const owner = await signedUp(site, await visit());
        const { page, email } = owner;
        await signOut(page);
        site.provider.person = { id: email, email, isEmailVerified: false };
        await page.goto('/auth/ui/login');
        await page.locator('a[href*="/oauth/google"]').click();
        await page.waitForURL('**/account-conflict?**');
        await send(page, 'link');
        await page.goto(await site.linkTo(email, '/link-verify'));
        expect(addressOf(page)).toBe('/auth/ui/link-verify');
        await send(page, 'link');

        await expectSignedIn(owner);
      });

      test('a phone is added by a texted code; codes sign in, and are a second factor', async () => {
        const person = await enrol(site, await visit());
        const { page, email, secret } = person;
        const phoneNumber = await addPhone(person);
        await signOut(page);

        await page.goto('/auth/ui/login');
        await send(page, 'sms', { email });
        expect(addressOf(page)).toBe('/auth/ui/sms');
        await send(page, 'verify', { code: await site.codeTo(phoneNumber) });
        expect(pathOf(page)).toBe('/auth/ui/2fa');
        await send(page, 'totp', { totpCode: appCode(secret, 1) });
        await expectSignedIn(person);

        await signOut(page);
        await signIn(person);
        await send(page, 'sms');
        await send(page, 'verify', { code: await site.codeTo(phoneNumber) });
        await expectSignedIn(person);
      });

      test('where a second factor is demanded of everybody, a mailed link is one', async () => {
        const person = await signedUp(site, await visit());
        const { page, email } = person;
        await signOut(page);
        const admin = await visit();
        await admin.goto('/admin');
        await send(admin, 'password', administrator);
        await administer(admin, '/2fa-policy', { required: true });
        try {
          await signIn(person);
          expect(addressOf(page)).toBe('/auth/ui/2fa');
          await send(page, 'magic-link');
          await page.goto(await site.linkTo(email, '/magic-link'));
          await send(page, 'verify');
          await expectSignedIn(person);
        } finally {
          await administer(admin, '/2fa-policy', { required: false });
        }
      });

      test('an administrator signs in, finds a user and disables them', async () => {
        const person = await signedUp(site, await visit());
        const page = await visit();
        await page.goto('/admin/users');
        await send(page, 'password', administrator);
        expect(pathOf(page)).toBe('/admin/users');
        await page.locator('form.filters [name=filter]').fill(person.email);
        await page.locator('form.filters button').click();
        await page.getByRole('link', { name: person.email }).click();
        await send(page, 'disable');
        expect(await page.locator('main').textContent()).toContain('Disabled');

        await person.page.goto(ACCOUNT);
        expect(pathOf(person.page)).toBe('/auth/ui/login');
        await signIn(person);
        expect(pathOf(person.page)).toBe('/auth/ui/login');
      });

      if (combination !== combinations[0]) return;

      describe("one's own account", () => {
        test('a new address counts once its mailed link is confirmed', async () => {
          const person = await signedUp(site, await visit());
          const { page } = person;
          const moved = { ...person, email: `new-${person.email}` };
          await page.goto(`${ACCOUNT}/email`);
          await send(page, 'change', { newEmail: moved.email });
          await page.goto(await site.linkTo(moved.email, '/change-email'));
          expect(addressOf(page)).toBe('/auth/ui/change-email');
          await send(page, 'confirm');
          await page.goto(ACCOUNT);
          await expectSignedIn(moved);
          await signOut(page);
          await signIn(person);
          expect(pathOf(page)).toBe('/auth/ui/login');
          await signIn(moved);
          await expectSignedIn(moved);
        });

        test('a new password ends the other sessions, and this one goes on', async () => {
          const person = await signedUp(site, await visit());
          const { page, password } = person;
          const other = { ...person, page: await visit() };
          await signIn(other);
          await page.goto(`${ACCOUNT}/password`);
          const wrong = { currentPassword: 'a wrong one', newPassword: 'another password of mine' };
          expect((await send(page, 'change', wrong))?.status()).toBe(400);
          await send(page, 'change', { ...wrong, currentPassword: password });
          expect(pathOf(page)).toBe(`${ACCOUNT}/password`);
          await other.page.goto(ACCOUNT);
          expect(pathOf(other.page)).toBe('/auth/ui/login');
          await page.goto(ACCOUNT);
          await expectSignedIn(person);
        });

        test('sessions elsewhere are ended, one and all', async () => {
          const person = await signedUp(site, await visit());
          const { page } = person;
          const others = [await visit(), await visit(), await visit()];
          for (const other of others) await signIn({ ...person, page: other });
          const rows = page.locator('main ul.rows > li');
          await page.goto(`${ACCOUNT}/sessions`);
          expect(await rows.count()).toBe(4);
          expect(await rows.first().textContent()).toContain('this device');
          await send(page, 'end');
          expect(await rows.count()).toBe(3);
          await send(page, 'others');
          expect(await rows.count()).toBe(1);
          for (const other of others) {
            await other.goto(ACCOUNT);
            expect(pathOf(other)).toBe('/auth/ui/login');
          }
        });

        test('an account is deleted, after a question', async () => {
          const person = await signedUp(site, await visit());
          const { page } = person;
          await page.goto(`${ACCOUNT}/delete`);
          await send(page, 'delete');
          expect(pathOf(page)).toBe('/auth/ui/account-deleted');
          await page.goto(ACCOUNT);
          expect(pathOf(page)).toBe('/auth/ui/login');
          await signIn(person);
          expect(pathOf(page)).toBe('/auth/ui/login');
        });

        test('an authenticator app is taken away again', async () => {
          const person = await enrol(site, await visit());
          const { page } = person;
          await page.goto(`${ACCOUNT}/authenticator`);
          await send(page, 'disable');
          await page.goto(ACCOUNT);
          await signOut(page);
          await signIn(person);
          await expectSignedIn(person);
        });
      });
    });
  },
);
