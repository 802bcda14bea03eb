import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.js';
import { appCode, enrol } from './authenticator.js';
import { addressOf, pathOf, send, signedUp } from './people.js';
import { openSite, type Site } from './site.js';

const ACCOUNT = '/auth/ui/account';

let site: Site;

describe.runIf(hasChromium())('a sign-in that is older than REAUTH_WINDOW', () => {
  beforeAll(async () => {
    site = await openSite('proof');
  });

  afterAll(() => site?.close());

  describe.each([true, false])('scripts: %s', (javaScriptEnabled) => {
    const visit = () => site.visit({ javaScriptEnabled });

    test('the password is asked for in place, and the act goes on with what was typed', async () => {
      const { page, email, password } = await signedUp(site, await visit());
      const newEmail = `new-${email}`;
      await page.goto(`${ACCOUNT}/email`);
      site.ageSignIns();

      const asked = await send(page, 'change', { newEmail });
      expect([asked?.status(), pathOf(page)]).toEqual([403, `${ACCOUNT}/email`]);
      expect(await page.locator('[name=currentPassword]:focus').count()).toBe(1);
      expect(await page.inputValue('[name=newEmail]')).toBe(newEmail);
      const wrong = await send(page, 'change', { currentPassword: 'a wrong one' });
      expect(wrong?.status()).toBe(400);
      expect(await page.inputValue('[name=newEmail]')).toBe(newEmail);
      await send(page, 'change', { currentPassword: password });

      expect(addressOf(page)).toBe(`${ACCOUNT}/email?done=change`);
      expect(await site.linkTo(newEmail, '/change-email')).toContain('token=');
    });

    test('a user with an app is asked for its code, in a question too', async () => {
      const { page, secret } = await enrol(site, await visit());
      await page.goto(`${ACCOUNT}/authenticator`);
      site.ageSignIns();

      await send(page, 'disable');
      expect(await page.locator('[name=currentPassword]').count()).toBe(0);
      await send(page, 'disable', { code: appCode(secret, 1) });

      expect(addressOf(page)).toBe(`${ACCOUNT}/authenticator?done=disable`);
    });

    test('a new sign-in is as good as a proof, and what was typed is there again', async () => {
      const { page, email, password } = await signedUp(site, await visit());
      await page.goto(`${ACCOUNT}/email`);
      site.ageSignIns();
      await send(page, 'change', { newEmail: `new-${email}` });
      await page.getByRole('link', { name: 'Sign in again' }).click();
      await send(page, 'password', { email, password });

      expect(pathOf(page)).toBe(`${ACCOUNT}/email`);
      expect(await page.inputValue('[name=newEmail]')).toBe(`new-${email}`);
      await send(page, 'change');
      expect(addressOf(page)).toBe(`${ACCOUNT}/email?done=change`);
    });

    test('an account of a provider with another address is linked once that address was added', async () => {
      const { page, email, password } = await signedUp(site, await visit());
      const other = `other-${email}`;
      await page.goto(`${ACCOUNT}/linked-accounts`);
      site.ageSignIns();
      await send(page, 'add', { email: other });
      await send(page, 'add', { currentPassword: password });
      await page.goto(await site.linkTo(other, '/link-verify'));
      await send(page, 'link');
      expect(pathOf(page)).toBe(`${ACCOUNT}/linked-accounts`);

      site.provider.person = { id: other, email: other, isEmailVerified: true };
      await page.locator('a[href*="/oauth/google"]').click();
      await page.waitForURL(`**${ACCOUNT}/linked-accounts?as=**`);

      expect(await page.getByRole('alert').count()).toBe(0);
      expect(await page.locator('main ul.rows').textContent()).toContain('Google');
      await page.goto(ACCOUNT);
      expect(await page.locator('main').textContent()).toContain(email);
    });
  });
});
