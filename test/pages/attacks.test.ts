import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.js';
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
const PROFILE = `${ACCOUNT}/profile`;
const EVIL = 'http://evil.example/';

/** A page of another site. */
async function visitEvil(page: Page, body: string): Promise<void> {
  await page.route(EVIL, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(EVIL);
}

function guardOf(page: Page): Promise<string> {
  return page.locator('[name=guard]').first().inputValue();
}

async function setGuard(page: Page, value: string): Promise<void> {
  const guards = page.locator('[name=guard]');
  await guards.evaluateAll((all, text) => {
    for (const each of all) each.setAttribute('value', text);
  }, value);
}

/** What ends at the service before the browser notices: the access token, or the whole session. */
async function forget(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await page.context().clearCookies({ name });
}

describe.runIf(hasChromium())('pages under attack', () => {
  let site: Site;

  beforeAll(async () => {
    site = await openSite('attacks');
  });

  afterAll(() => site?.close());

  describe('forms of others', () => {
    test('a form without its guard is refused as a page, and signs nobody in', async () => {
      const person = await signedUp(site, await site.visit());
      const { page, email, password } = person;
      await signOut(page);
      await page.goto('/auth/ui/login');
      await setGuard(page, '');

      const answer = await send(page, 'password', { email, password });

      expect([answer?.status(), answer?.headers()['content-type']]).toEqual([
        403,
        'text/html; charset=utf-8',
      ]);
      await page.goto(ACCOUNT);
      expect(pathOf(page)).toBe('/auth/ui/login');
    });

    test('the guard of another visit, or of the session of somebody else, is refused', async () => {
      const mallory = await signedUp(site, await site.visit());
      await mallory.page.goto('/auth/ui/sign-out');
      const stolen = await guardOf(mallory.page);
      const victim = await signedUp(site, await site.visit());
      await victim.page.goto('/auth/ui/sign-out');
      await setGuard(victim.page, stolen);
      const answer = await send(victim.page, 'sign-out');
      expect(answer?.status()).toBe(403);
      await victim.page.goto(ACCOUNT);
      expect(pathOf(victim.page)).toBe(ACCOUNT);
    });

    test('a form of another site is refused, even with a guard and with cookies', async () => {
      const { page } = await signedUp(site, await site.visit());
      await page.goto('/auth/ui/sign-out');
      const guard = await guardOf(page);
      const action = `${site.baseUrl}/auth/ui/sign-out`;
      const fields = `<input name="guard" value="${guard}"><button name="form" value="sign-out">Win</button>`;
      await visitEvil(page, `<form method="post" action="${action}">${fields}</form>`);

      const answer = await send(page, 'sign-out');

      expect(answer?.status()).toBe(403);
      await page.goto(ACCOUNT);
      expect(pathOf(page)).toBe(ACCOUNT);
    });
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

  test('two people in one browser: the second sees nothing of the first', async () => {
    const page = await site.visit();
    const first = await signedUp(site, page);
    await signOut(page);
    const second = await signedUp(site, page);
    expect(await page.content()).toContain(second.email);
    expect(await page.content()).not.toContain(first.email);
  });

  test('two tabs whose access token has expired both go on', async () => {
    const { page, email } = await signedUp(site, await site.visit());
    const other = await page.context().newPage();
    await other.goto(ACCOUNT);
    await forget(page, 'accessToken');
    await Promise.all([page.reload(), other.reload()]);
    for (const tab of [page, other]) {
      expect(pathOf(tab)).toBe(ACCOUNT);
      expect(await tab.content()).toContain(email);
    }
  });

  test('the panel goes on past the life of an access token, where its cookie is not sent', async () => {
    const page = await site.visit();
    await page.goto('/admin/users');
    await send(page, 'password', administrator);
    await forget(page, 'accessToken');
    await page.goto('/admin/users?filter=ada');
    expect(addressOf(page)).toBe('/admin/users?filter=ada');
  });

  test.each([true, false])(
    'a form of the panel is done past the life of an access token, whatever its length; scripts: %s',
    async (javaScriptEnabled) => {
      const page = await site.visit({ javaScriptEnabled });
      await page.goto('/admin/webhooks/inbound/new');
      await send(page, 'password', administrator);
      await forget(page, 'accessToken');
      const script = `// ${'a long script '.repeat(1_000)}`;
      const provider = `late-${javaScriptEnabled}`;
      const fields = { provider, secret: 'a-shared-secret', jsScript: script };
      const answer = await send(page, 'create', fields);
      expect([answer?.status(), await page.locator('h1').textContent()]).toEqual([200, provider]);
      await forget(page, 'accessToken');
      await send(page, 'save', { events: 'late.event' });
      expect(pathOf(page)).toMatch(/^\/admin\/webhooks\/inbound\/[\w-]+$/);
      expect(await page.locator('[name=events]').inputValue()).toBe('late.event');
      expect(await page.locator('[name=jsScript]').inputValue()).toBe(script);
      await forget(page, 'accessToken');
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

  test('a session that ends while a form is filled in loses only secrets', async () => {
    const { page, email, password } = await signedUp(site, await site.visit());
    await page.goto(PROFILE);
    await forget(page, 'accessToken', 'refreshToken');
    await send(page, 'profile', { firstName: 'Ada “the first” & only' });
    expect(pathOf(page)).toBe('/auth/ui/login');
    await send(page, 'password', { email, password });
    expect(await page.locator('[name=firstName]').inputValue()).toBe('Ada “the first” & only');
    await send(page, 'profile');
    await page.reload();
    expect(await page.locator('[name=firstName]').inputValue()).toBe('Ada “the first” & only');
  });

  test('what was typed into an expired form is not shown to the next person in this browser', async () => {
    const { page } = await signedUp(site, await site.visit());
    await page.goto(PROFILE);
    await forget(page, 'accessToken', 'refreshToken');
    await send(page, 'profile', { firstName: 'only for Ada' });
    await signedUp(site, page);
    await page.goto(PROFILE);
    expect(await page.content()).not.toContain('only for Ada');
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

  test('a wrong password is reported, the address is kept, and the password is not', async () => {
    const person = newPerson(await site.visit());
    await register(person);
    await signIn({ ...person, password: 'a wrong one' });
    const { page, email } = person;
    expect(await page.getByRole('alert').textContent()).toContain('wrong');
    expect(await page.locator('[name=email]').inputValue()).toBe(email);
    expect(await page.locator('[name=password]').inputValue()).toBe('');
    expect(await page.content()).not.toContain('a wrong one');
  });
});
