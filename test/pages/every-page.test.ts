import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.js';
import { linkedPaths, pagePaths } from '../support/page-paths.js';
import { makeWebhooks } from '../support/webhooks-to-see.js';
import { appCode, enrol } from './authenticator.js';
import { complaints } from './examine.js';
import {
  addressOf,
  newPerson,
  pathOf,
  register,
  send,
  signedUp,
  signIn,
  signOut,
} from './people.js';
import { administrator, openSite, type Site } from './site.js';

const ACCOUNT = '/auth/ui/account';

/** As transferred, with all assets. */
const MOST_BYTES = { account: 10_000, panel: 25_000 };

describe.runIf(hasChromium())('every page', () => {
  let site: Site;
  const sizes = new Map<string, number>();

  beforeAll(async () => {
    const isLocal = { WEBHOOK_ALLOW_PRIVATE: 'on' };
    site = await openSite('every-page', undefined, isLocal);
    await makeWebhooks(site.baseUrl, administrator);
  });

  afterAll(async () => {
    await site?.close();
    const lines = [...sizes].map(([path, bytes]) => `${String(bytes).padStart(6)} bytes  ${path}`);
    console.log(`Over the wire, everything in:\n${lines.join('\n')}`);
  });

  /** Opens each page with an empty cache, and returns its problems. */
  async function examineAll(page: Page, paths: string[]): Promise<number[]> {
    const statuses: number[] = [];
    const client = await page.context().newCDPSession(page);
    await client.send('Network.enable');
    await client.send('Network.setCacheDisabled', { cacheDisabled: true });
    let bytes = 0;
    client.on('Network.loadingFinished', (loaded) => {
      bytes += loaded.encodedDataLength;
    });
    for (const path of paths) {
      bytes = 0;
      const answer = await page.goto(path, { waitUntil: 'networkidle' });
      statuses.push(answer?.status() ?? 0);
      const most = pathOf(page).startsWith('/admin') ? MOST_BYTES.panel : MOST_BYTES.account;
      sizes.set(addressOf(page), bytes);
      expect.soft(bytes, path).toBeLessThanOrEqual(most);
      expect.soft(await complaints(page), path).toEqual([]);
    }
    return statuses;
  }

  // In German, whose words are the longest.
  test('is light, fits a phone, and axe finds nothing in both schemes: signed out', async () => {
    await examineAll(await site.visit({ locale: 'de' }), pagePaths(site.folder));
  });

  test('the same for an administrator', async () => {
    const page = await site.visit({ locale: 'de' });
    await signIn({ ...administrator, page });
    const paths = await linkedPaths(page, site.baseUrl);
    expect(paths.filter((path) => path.startsWith('/admin')).length).toBeGreaterThan(2);
    // No broken links.
    expect(await examineAll(page, paths)).toEqual(paths.map(() => 200));
  });

  test('on a phone, in text of twice the size, a password can be read while it is typed', async () => {
    const page = await site.visit({ locale: 'de', viewport: { width: 320, height: 740 } });
    await page.goto('/auth/ui/login');
    const input = page.locator('input[type=password]');
    const show = page.getByRole('button', { name: 'Anzeigen' });
    const tops = async () =>
      (await Promise.all([input, show].map((each) => each.boundingBox()))).map((box) => box?.y);
    expect(new Set(await tops()).size, 'on one line').toBe(1);
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect((await input.boundingBox())?.width).toBeGreaterThan(150);
    const described = await show.getAttribute('aria-describedby');
    expect(await page.locator(`#${described}`).textContent()).toBe('Passwort');
  });

  test('on a phone users are selected and acted on at once, and no short word of a table breaks', async () => {
    const { page: person, email } = await signedUp(site, await site.visit());
    await person.goto('/auth/ui/account/profile');
    await send(person, 'profile', { name: 'Donaudampfschifffahrt'.repeat(9) });
    const page = await site.visit();
    await page.goto(`/admin/users?filter=${email}`);
    await send(page, 'password', administrator);
    const role = await page.locator('td[data-title=Roles]').boundingBox();
    expect(role?.width).toBeGreaterThan(80);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator('td input').check();
    await send(page, 'bulk');
    expect(await page.locator('main').textContent()).toContain('The user was disabled.');
  });

  test('a long address of a webhook takes one line of the overview', async () => {
    const page = await site.visit();
    await page.goto('/admin');
    await send(page, 'password', administrator);
    const line = await page.locator('.figures p', { hasText: 'long-address' }).boundingBox();
    expect(line?.height).toBeLessThan(40);
  });

  test('the same on the way of each flow', async () => {
    const page = await site.visit();
    const look = async () => expect.soft(await complaints(page), addressOf(page)).toEqual([]);
    const person = newPerson(page);
    const { email } = person;
    await register(person);
    await look();
    await signIn(person);
    await look();
    const link = await site.linkTo(email, '/verify-email');
    for (const each of [link, link]) {
      await page.goto(each);
      await look();
    }
    await signIn({ ...person, password: 'a wrong one' });
    await look();

    await page.goto('/auth/ui/forgot-password');
    await send(page, 'forgot', { email });
    await look();
    await page.goto(await site.linkTo(email, '/reset-password'));
    await send(page, 'reset', { newPassword: 'ä'.repeat(70) });
    await look();
    await send(page, 'reset', { newPassword: person.password });
    await look();

    await page.goto('/auth/ui/login');
    await send(page, 'magic-link', { email });
    await look();
    const magic = await site.linkTo(email, '/magic-link');
    await page.goto(magic);
    await look();
    await send(page, 'verify');
    await signOut(page);
    await page.goto(magic);
    await look();

    site.provider.person = { id: email, email, isEmailVerified: false };
    await page.goto('/auth/ui/login');
    await page.locator('a[href*="/oauth/google"]').click();
    await page.waitForURL('**/account-conflict?**');
    await look();
    await send(page, 'link');
    await look();
    await page.goto(await site.linkTo(email, '/link-verify'));
    await look();
  });

  test('the same where a second factor is set up and asked for', async () => {
    const page = await site.visit();
    const look = async () => expect.soft(await complaints(page), addressOf(page)).toEqual([]);
    const person = await enrol(site, page, look);
    await page.goto(ACCOUNT);
    await signOut(page);
    await signIn(person);
    await look();
    await send(page, 'totp', { totpCode: '000000' });
    await look();
    await send(page, 'totp', { totpCode: appCode(person.secret, 1) });
    await look();
  });

  test('a script is written with Tab and numbered lines, tried in place, and saved past the end of its token', async () => {
    const page = await site.visit();
    await signIn({ ...administrator, page });
    await page.goto('/admin/webhooks?filter=acme');
    await page.locator('main td a').click();
    const script = page.locator('.editor [name=jsScript]');
    const saved = await script.inputValue();
    await script.focus();
    await page.keyboard.press('Tab');
    expect(await page.locator('[name=jsScript]:focus').count()).toBe(0);
    expect(await script.inputValue()).toBe(saved);
    await script.fill('if (body.a)');
    await script.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('result = body.a;');
    expect(await script.inputValue()).toBe('if (body.a)\n  result = body.a;');
    expect(await page.locator('.editor pre').textContent()).toBe('1\n2');
    // Else the numbers of a long script drift away from its lines.
    const lineHeight = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).lineHeight`);
    expect(await lineHeight('.editor pre')).toBe(await lineHeight('.editor textarea'));
    await page.context().clearCookies({ name: 'accessToken' });
    await send(page, 'save');
    expect(await page.locator('[role=status]').textContent()).toContain('Your changes are saved.');
    await script.fill('// not saved');
    await page.fill('[name=body]', '{"a": "<b>tried</b>"}');
    await page.click('[value=dry-run]');
    await page.locator('#dry-run [role=status]').waitFor();
    expect(await page.locator('#dry-run').textContent()).toContain('<b>tried</b>');
    // Screen readers announce what has the focus; a region that appears together with its text, they may not.
    expect(await page.locator('#dry-run [role=status]:focus').count()).toBe(1);
    expect(await script.inputValue()).toBe('// not saved');
    await page.context().clearCookies();
    await page.click('[value=dry-run]');
    await page.locator('[role=alert]', { hasText: 'sign in in another tab' }).waitFor();
    await signIn({ ...administrator, page: await page.context().newPage() });
    await page.click('[value=dry-run]');
    await page.locator('[role=alert]', { hasText: 'You are signed in again.' }).waitFor();
    await page.click('[value=dry-run]');
    await page.locator('#dry-run [role=status]').waitFor();
    expect(await script.inputValue()).toBe('// not saved');
    await script.press('Escape');
    await page.keyboard.press('Tab');
    expect(await page.locator('[name=jsScript]:focus').count()).toBe(0);
  });

  describe('by keyboard alone', () => {
    test('a user signs in, sets up an authenticator app, and signs in with it', async () => {
      const page = await site.visit();
      const { email, password } = await signedUp(site, page);
      await signOut(page);
      const typeSignIn = async () => {
        await page.goto('/auth/ui/login');
        await tabTo(page, '[name=email]');
        await page.keyboard.type(email);
        await tabTo(page, '[name=password]');
        await page.keyboard.type(password);
        await enter(page);
      };
      await typeSignIn();
      expect(pathOf(page)).toBe(ACCOUNT);

      await page.goto('/auth/ui/2fa-setup');
      await tabTo(page, '[value=begin]');
      await enter(page);
      const secret = (await page.locator('main code').first().textContent()) ?? '';
      await tabTo(page, '[name=token]');
      await page.keyboard.type(appCode(secret));
      await enter(page);
      await tabTo(page, 'main a.button');
      await enter(page);
      await tabTo(page, '[value=sign-out]');
      await enter(page);

      await typeSignIn();
      await tabTo(page, '[name=totpCode]');
      await page.keyboard.type(appCode(secret, 1));
      await enter(page);
      expect(pathOf(page)).toBe(ACCOUNT);
    });

    test('an administrator disables a user: the act asks first', async () => {
      const { email } = await signedUp(site, await site.visit());
      const page = await site.visit();
      await page.goto(`/admin/users?filter=${email}`);
      await send(page, 'password', administrator);
      await tabTo(page, 'main td a');
      await enter(page);
      await tabTo(page, '[popovertarget^=confirm-disable]');
      await page.keyboard.press('Enter');
      await tabTo(page, 'dialog [value=disable]');
      await enter(page);
      expect(await page.locator('main').textContent()).toContain('Disabled');
    });
  });
});

async function enter(page: Page): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
}

const OUTLINE = '(element) => getComputedStyle(element).outlineStyle';

/** Presses Tab, as a user without a mouse does, until the element has the focus, which must be visible. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    const focused = page.locator(`${selector}:focus`);
    if ((await focused.count()) > 0) {
      expect(await focused.evaluate(OUTLINE), `the focus on ${selector}`).not.toBe('none');
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`No Tab leads to ${selector} on ${page.url()}`);
}
