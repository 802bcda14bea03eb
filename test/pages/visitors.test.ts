import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.js';
import { addressOf, pathOf, send, signedUp, signIn, signOut } from './people.js';
import { administrator, openSite, type Site } from './site.js';

/** What people are told who come by an old link, an old page or a bare address. */
describe.runIf(hasChromium())('a visitor', () => {
  let site: Site;

  beforeAll(async () => {
    site = await openSite('visitors');
  });

  afterAll(() => site?.close());

  test('is told at once that a mailed link has signed in already, and gets another', async () => {
    const { page, email } = await signedUp(site, await site.visit());
    await signOut(page);
    await page.goto('/auth/ui/login');
    await send(page, 'magic-link', { email });
    const link = await site.linkTo(email, '/magic-link');
    await page.goto(link);
    await send(page, 'verify');
    await signOut(page);
    await page.goto(link);
    expect(await page.getByRole('alert').textContent()).toBe('This link is no longer valid.');
    expect(await page.locator('[value=verify]').count()).toBe(0);
    await page.getByRole('link', { name: 'Get another link' }).click();
    expect(await page.locator('[value=magic-link]').count()).toBe(1);
  });

  test('finishes a sign-in by a mailed link once', async () => {
    const person = await signedUp(site, await site.visit());
    const { page, email } = person;
    await signOut(page);
    const admin = await site.visit();
    await signIn({ ...administrator, page: admin });
    const demand = async (json: string) => {
      await admin.goto('/admin/settings');
      const row = admin.locator('tr', { hasText: 'require2FA' });
      await row.locator('select').selectOption(json);
      await row.locator('[value=set]').click();
      await admin.getByRole('status').waitFor();
    };
    await demand('true');
    try {
      await signIn(person);
      await send(page, 'magic-link');
      const link = await site.linkTo(email, '/magic-link');
      await page.goto(link);
      await send(page, 'verify');
      expect(pathOf(page)).toBe('/auth/ui/account');
      await signOut(page);
      await page.goto(link);
      expect(await page.getByRole('alert').textContent()).toBe('This link is no longer valid.');
    } finally {
      await demand('false');
    }
  });

  test('at a page that needs more than its address is led to the sign-in', async () => {
    const page = await site.visit();
    await page.goto('/auth/ui/account-conflict?email=nonsense');
    expect(pathOf(page)).toBe('/auth/ui/login');
  });

  test('gets from a form that is too old to a new one', async () => {
    const page = await site.visit();
    await page.goto('/auth/ui/login');
    await page.context().clearCookies();
    await send(page, 'password', { email: 'ada@example.com', password: 'correct horse' });
    const onward = page.locator('main a');
    expect(await onward.getAttribute('href')).toBe('/auth/ui/login');
    await onward.click();
    expect(addressOf(page)).toBe('/auth/ui/login');
  });
});
