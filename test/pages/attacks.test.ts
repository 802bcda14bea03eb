import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.js';
import { addressOf, pathOf, send, signedUp, signIn, signOut } from './people.js';
import { administrator, openSite, type Site } from './site.js';

const ACCOUNT = '/auth/ui/account';
const PROFILE = `${ACCOUNT}/profile`;
const EVIL = 'http://evil.example/';

/** A page of another site. */
async function visitEvil(page: Page, body: string): Promise<void> {
  await page.route(EVIL, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(EVIL);
}

describe.runIf(hasChromium())('pages under attack', () => {
  let site: Site;

  beforeAll(async () => {
    site = await openSite('attacks');
  });

  afterAll(() => site?.close());

  test('a form of another site is refused, even with a guard and with cookies', async () => {
    const { page } = await signedUp(site, await site.visit());
    await page.goto('/auth/ui/sign-out');
    const guard = await page.locator('[name=guard]').first().inputValue();
    const action = `${site.baseUrl}/auth/ui/sign-out`;
    const fields = `<input name="guard" value="${guard}"><button name="form" value="sign-out">Win</button>`;
    await visitEvil(page, `<form method="post" action="${action}">${fields}</form>`);

    const answer = await send(page, 'sign-out');

    expect(answer?.status()).toBe(403);
    await page.goto(ACCOUNT);
    expect(pathOf(page)).toBe(ACCOUNT);
  });

  test.each(['/auth/ui/login', ACCOUNT, '/admin'])('no other site can frame %s', async (path) => {
    const page = await site.visit();
    await page.goto(path);
    if (path !== '/auth/ui/login') await signIn({ ...administrator, page });
    await visitEvil(page, `<iframe src="${site.baseUrl}${path}"></iframe>`);
    const [, frame] = page.frames();
    expect(frame?.url()).toBe('chrome-error://chromewebdata/');
  });

  test('return_to leads to no other site', async () => {
    const { page, email, password } = await signedUp(site, await site.visit());
    const targets = [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      '/%09/evil.example',
      'javascript:alert(1)',
      '\t//evil.example',
      '@evil.example',
    ];
    for (const target of targets) {
      const asked = new URLSearchParams({ return_to: target });
      for (const path of ['login', 'continue']) {
        await page.goto(`/auth/ui/${path}?${asked}`);
        expect(new URL(page.url()).origin, target).toBe(site.baseUrl);
      }
      await page.goto(ACCOUNT);
      await signOut(page);
      await page.goto(`/auth/ui/login?${asked}`);
      const provider = await page.locator('a[href*="/oauth/google"]').getAttribute('href');
      expect(new URL(provider ?? '', site.baseUrl).origin).toBe(site.baseUrl);
      await send(page, 'password', { email, password });
      expect(new URL(page.url()).origin, target).toBe(site.baseUrl);
    }
  });

  test('the token of a mailed link is in no address, in no history, and in no Referer', async () => {
    const { page, email } = await signedUp(site, await site.visit());
    await signOut(page);
    const seen: string[] = [];
    page.on('framenavigated', (frame) => seen.push(frame.url()));
    page.on('request', (request) => seen.push(request.headers().referer ?? ''));
    for (const [form, path] of [
      ['forgot', 'reset-password'],
      ['magic-link', 'magic-link'],
    ]) {
      await page.goto(`/auth/ui/${form === 'forgot' ? 'forgot-password' : 'login'}`);
      await send(page, form ?? '', { email });
      const link = await site.linkTo(email, `/${path}`);
      const token = new URL(link).searchParams.get('token') ?? '';
      await page.goto(link);
      expect(addressOf(page)).toBe(`/auth/ui/${path}`);
      expect(await page.content()).not.toContain(token);
      await page.locator('header a').click();
      await page.goBack();
      expect(addressOf(page)).toBe(`/auth/ui/${path}`);
      expect(seen.join(' ')).not.toContain(token);
    }
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  test('scripts of a page read no token of the session', async () => {
    const { page } = await signedUp(site, await site.visit());
    expect(await page.evaluate('document.cookie')).not.toMatch(/accessToken|refreshToken|visit/);
  });

  test('back after signing out shows nothing personal', async () => {
    const { page, email } = await signedUp(site, await site.visit());
    await signOut(page);
    await page.goBack();
    expect(pathOf(page)).toBe('/auth/ui/login');
    expect(await page.content()).not.toContain(email);
  });

  test('a user who downloads their data and signs out at once is signed out', async () => {
    const { page } = await signedUp(site, await site.visit());
    await page.goto(`${ACCOUNT}/data`);
    await Promise.all([page.waitForEvent('download'), page.click('[value=download]')]);
    await page.click('[value=sign-out]');
    await page.waitForURL('**/auth/ui/signed-out', { timeout: 5_000 });
  });

  test('two people in one browser: the second sees nothing of the first', async () => {
    const page = await site.visit();
    const first = await signedUp(site, page);
    await signOut(page);
    const second = await signedUp(site, page);
    expect(await page.content()).toContain(second.email);
    expect(await page.content()).not.toContain(first.email);
  });

  test.each([true, false])(
    'a form of the panel is done past the life of an access token, whatever its length; scripts: %s',
    async (javaScriptEnabled) => {
      const page = await site.visit({ javaScriptEnabled });
      const expire = () => page.context().clearCookies({ name: 'accessToken' });
      await page.goto('/admin/webhooks/inbound/new');
      await send(page, 'password', administrator);
      await expire();
      const script = `// ${'a long script '.repeat(1_000)}`;
      const provider = `late-${javaScriptEnabled}`;
      const fields = { provider, secret: 'a-shared-secret', jsScript: script };
      const answer = await send(page, 'create', fields);
      expect([answer?.status(), await page.locator('h1').textContent()]).toEqual([200, provider]);
      await expire();
      await send(page, 'save', { events: 'late.event' });
      expect(pathOf(page)).toMatch(/^\/admin\/webhooks\/inbound\/[\w-]+$/);
      expect(await page.locator('[name=events]').inputValue()).toBe('late.event');
      expect(await page.locator('[name=jsScript]').inputValue()).toBe(script);
      await expire();
      await page.locator('[name=body]').fill('{"a": 1}');
      await page.locator('button[value=dry-run]').click();
      await page.getByRole('status').filter({ hasText: 'The script ran.' }).waitFor();
    },
  );

  test('Enter twice on a button that cannot be undone only opens and closes the question', async () => {
    const page = await site.visit();
    await page.goto('/admin/roles');
    await send(page, 'password', administrator);
    await send(page, 'create', { name: 'to-keep' });
    await page.goto('/admin/roles/to-keep');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
    const open = page.locator('button[popovertarget]').first();
    await open.focus();
    await page.keyboard.press('Enter');
    const dialog = page.locator('dialog[popover]');
    expect(await dialog.isVisible()).toBe(true);
    expect(await dialog.textContent()).toContain('to-keep');
    await page.keyboard.press('Enter');
    expect(await dialog.isVisible()).toBe(false);
    expect(addressOf(page)).toBe('/admin/roles/to-keep');
    await page.reload();
    expect(await page.locator('h1').textContent()).toBe('to-keep');
  });

  test('hostile names, addresses and browsers are shown as text', async () => {
    const hostile = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
    const { page, email } = await signedUp(site, await site.visit({ userAgent: hostile }));
    await page.goto(PROFILE);
    await send(page, 'profile', { firstName: hostile });
    expect(await page.locator('[name=firstName]').inputValue()).toBe(hostile);
    const admin = await site.visit();
    await admin.goto('/admin/users');
    await send(admin, 'password', administrator);
    await admin.goto(`/admin/users?filter=${email}`);
    await admin.getByRole('link', { name: email }).click();
    expect(await admin.locator('main').textContent()).toContain(hostile);
    for (const each of [page, admin]) {
      expect(await each.evaluate('window.hacked')).toBeUndefined();
      expect(await each.locator('main img').count()).toBe(0);
    }
  });
});
