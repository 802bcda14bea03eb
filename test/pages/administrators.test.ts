import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.js';
import { enrol } from './authenticator.js';
import { administer, newPerson, pathOf, send, signedUp, signIn } from './people.js';
import { administrator, openSite, type Site } from './site.js';

const FOCUSED =
  "document.activeElement === document.body ? '' : document.activeElement.textContent";

/** What administrators find out from the panel alone, on their first day. */
describe.runIf(hasChromium())('an administrator', () => {
  let site: Site;

  beforeAll(async () => {
    site = await openSite('administrators');
  });

  afterAll(() => site?.close());

  async function openPanel(locale = 'en'): Promise<Page> {
    const page = await site.visit({ locale });
    await signIn({ ...administrator, page });
    return page;
  }

  /** Opens the page of a user in the panel. */
  async function openUser(page: Page, email: string): Promise<void> {
    await page.goto(`/admin/users?filter=${encodeURIComponent(email)}`);
    await page.locator('td a', { hasText: email }).click();
    await page.locator('h1', { hasText: email }).waitFor();
  }

  test('Tab stays in a question until it is answered', async () => {
    const { email } = await signedUp(site, await site.visit());
    const page = await openPanel();
    await openUser(page, email);
    await page.click('[popovertarget=confirm-disable]:not([popovertargetaction])');
    const reached = new Set<string>();
    for (let step = 0; step < 6; step += 1) {
      reached.add(await page.evaluate(FOCUSED));
      await page.keyboard.press('Tab');
    }
    // After the last button the browser's own controls have their turn.
    reached.delete('');
    expect([...reached].sort()).toEqual(['Cancel', 'Disable']);
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog').first().isVisible()).toBe(false);
  });

  test('may open a form that creates something only if they may see what it creates', async () => {
    const admin = await openPanel();
    const permissions = ['admin:access', 'users:write', 'webhooks:write'];
    await administer(admin, '/roles', { name: 'writer', permissions });
    const { page, email } = await signedUp(site, await site.visit());
    const found = await admin.request.get(`/admin/api/users?filter=${email}`);
    const { users } = await found.json();
    await administer(admin, `/users/${users[0].id}/roles`, { role: 'writer' });
    expect((await page.goto('/admin'))?.status()).toBe(200);
    for (const path of ['users', 'webhooks/inbound', 'webhooks/outgoing']) {
      expect([path, (await page.goto(`/admin/${path}/new`))?.status()]).toEqual([path, 403]);
    }
  });

  test('is told which account is their own before they lock themselves out', async () => {
    const page = await openPanel();
    await openUser(page, administrator.email);
    for (const act of ['disable', 'delete']) {
      const question = page.locator(`#confirm-${act}`);
      expect(await question.textContent()).toContain('your own account');
    }
    const { email } = await signedUp(site, await site.visit());
    await openUser(page, email);
    expect(await page.locator('#confirm-disable').textContent()).not.toContain('your own');
  });

  test('selects all users of a list at once, and returns to that list', async () => {
    const { email } = await signedUp(site, await site.visit());
    const page = await openPanel();
    await page.goto(`/admin/users?filter=${encodeURIComponent(email)}`);
    await page.getByRole('button', { name: 'Select all' }).click();
    await send(page, 'bulk');
    await page.locator('main a.button').click();
    await page.locator('td', { hasText: 'Disabled' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
  });

  test('learns that a person whom they create gets no email, and is offered to send one', async () => {
    const page = await openPanel();
    const { email } = newPerson(page, 'new');
    await page.goto('/admin/users/new');
    const text = await page.locator('main').textContent();
    expect(text).toContain('No email is sent.');
    // Where people sign in only at a provider, no such link is offered.
    expect(text).not.toContain('request a link');
    await send(page, 'create', { email });
    expect(await page.getByRole('status').textContent()).toBe('The user was created.');
    expect(await page.locator('h1').textContent()).toBe(email);
    const mail = page.locator('[value=verify-email]');
    expect(await mail.textContent()).toBe('Email a link to confirm it');

    const person = await site.visit();
    await person.goto('/auth/ui/login');
    await send(person, 'magic-link', { email });
    await person.goto(await site.linkTo(email, '/magic-link'));
    await send(person, 'verify');
    expect(pathOf(person)).toBe('/auth/ui/account');
  });

  test('reads the second factors of a user by the names that the user sees', async () => {
    const { email } = await enrol(site, await site.visit());
    const names = { en: 'Authenticator app', de: 'Authenticator-App' };
    for (const [locale, name] of Object.entries(names)) {
      const page = await openPanel(locale);
      await openUser(page, email);
      expect(await page.locator('main .badge', { hasText: name }).count()).toBe(1);
      expect(await page.locator('main .badge', { hasText: 'totp' }).count()).toBe(0);
    }
  });

  test('cannot turn on an action that does not exist', async () => {
    const page = await openPanel();
    await page.goto('/admin/settings');
    const row = page.locator('tr', { hasText: 'enabledWebhookActions' });
    await row.locator('textarea').fill('echo.say\nusers.fnid');
    await row.locator('[value=set]').click();
    await page.getByRole('alert').waitFor();
    expect(await row.locator('.error').textContent()).toContain('users.find');
  });

  test('reads at a setting what its values mean', async () => {
    const page = await openPanel();
    await page.goto('/admin/settings');
    const row = page.locator('tr', { hasText: 'emailVerificationMode' });
    expect(await row.locator('td').first().textContent()).toMatch(/lazy.+strict/);
  });

  test('reads how high the bars of the sign-ins are', async () => {
    const page = await openPanel();
    await page.goto('/admin');
    const titles = await page.locator('.chart g title').allTextContents();
    const sums = titles.map((title) => {
      const [, succeeded = '', failed = ''] = /: (\d+) \w+, (\d+)/.exec(title) ?? [];
      return Number(succeeded) + Number(failed);
    });
    expect(await page.locator('.chart > span').textContent()).toBe(`${Math.max(...sums)}`);
  });

  test('sees the fields of a row on one line', async () => {
    const page = await openPanel();
    for (const path of ['users', 'audit']) {
      await page.goto(`/admin/${path}`);
      const tops = await page
        .locator('.filters label')
        .evaluateAll((labels) =>
          labels.slice(0, 4).map((each) => each.getBoundingClientRect().top),
        );
      expect([path, new Set(tops.map(Math.round)).size]).toEqual([path, 1]);
    }
  });

  test('reads in German why a script or a delivery failed', async () => {
    const page = await openPanel('de');
    const endless = { provider: 'endless', jsScript: 'for (;;);' };
    const inbound = await administer(page, '/webhooks', endless);
    await page.goto(`/admin/webhooks/inbound/${inbound.webhook.id}`);
    await page.click('[value=dry-run]');
    const outcome = page.locator('#dry-run [role=status]');
    await outcome.waitFor();
    expect(await outcome.textContent()).toContain('Das Skript hat zu lange gebraucht.');

    const local = { url: 'http://127.0.0.1:9/', events: ['*'], maxRetries: 0 };
    const outgoing = await administer(page, '/webhooks', local);
    await administer(page, `/webhooks/${outgoing.webhook.id}/test`, {});
    const reason = page.locator('td[data-title=Status]');
    await expect
      .poll(async () => {
        await page.goto(`/admin/webhooks/outgoing/${outgoing.webhook.id}`);
        await page.locator('td a').first().click();
        await page.locator('h1', { hasText: 'Zustellung' }).waitFor();
        return (await reason.count()) > 0;
      })
      .toBe(true);
    expect(await reason.first().textContent()).toContain('ist nicht öffentlich');
  });
});
