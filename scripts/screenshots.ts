import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { startChromium } from '../test/support/chromium.js';
import { kindOf, linkedPaths, pagePaths } from '../test/support/page-paths.js';
import { makeWebhooks } from '../test/support/webhooks-to-see.js';
import { repositoryFolder } from './matrix/child.js';
import { largest } from './matrix/combinations.js';
import { emit } from './matrix/emit.js';
import { startForBrowsers } from './matrix/start-service.js';

/**
 * Takes screenshots of every page of the fullest service, light, dark and narrow, into `.cache/screenshots/`: once
 * signed out, and once signed in. With words, only the pages with one of them in their path. With `readme`, the
 * four that the README shows, into `docs/`.
 */
const target = join(repositoryFolder, '.cache/screenshots');
const docs = join(repositoryFolder, 'docs');
const person = { email: 'ada@example.com', password: 'correct horse battery' };

const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1200, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1200, height: 900 } },
  { name: 'narrow', colorScheme: 'light', viewport: { width: 360, height: 740 } },
] as const;

const everything = { ...largest(readCatalog()), name: 'screenshots' };
const service = await emit(everything, join(repositoryFolder, 'playground'));
const providers = ['GOOGLE', 'GITHUB'].flatMap((name) => [
  [`OAUTH_${name}_CLIENT_ID`, 'id'],
  [`OAUTH_${name}_CLIENT_SECRET`, 'secret'],
]);
const running = await startForBrowsers(service, {
  ...Object.fromEntries(providers),
  SERVICE_NAME: 'Acme',
  RATE_LIMIT: 'off',
  BCRYPT_COST: '10',
  WEBHOOK_ALLOW_PRIVATE: 'on',
  BOOTSTRAP_ADMIN_EMAIL: person.email,
  BOOTSTRAP_ADMIN_PASSWORD: person.password,
});
const browser = await startChromium();
const words = process.argv.slice(2);
const forReadme = words[0] === 'readme';
try {
  // First, so that the overview shows one failing delivery, not one for each of these people.
  if (forReadme) await fillIn(running.baseUrl);
  await makeWebhooks(running.baseUrl, person);
  await (forReadme ? photographForReadme : photograph)(browser, running.baseUrl);
} finally {
  await browser.close();
  await running.stop();
}
console.log(forReadme ? docs : target);

async function photograph(browser: Browser, baseUrl: string): Promise<void> {
  const isWanted = (path: string) =>
    words.length === 0 || words.some((word) => path.includes(word));
  rmSync(target, { recursive: true, force: true });
  for (const { name, ...look } of looks) {
    const context = await browser.newContext({ ...look, locale: 'en' });
    const page = await context.newPage();
    const shoot = async (path: string, suffix: string) => {
      await page.goto(baseUrl + path);
      const file = `${kindOf(path).replaceAll(/\W+/g, '-').slice(1) || 'start'}${suffix}-${name}.png`;
      await page.screenshot({ path: join(target, file), fullPage: true });
    };
    for (const path of pagePaths(service).filter(isWanted)) await shoot(path, '');
    await signIn(page, baseUrl);
    const linked = await linkedPaths(page, baseUrl);
    for (const path of linked.filter(isWanted)) await shoot(path, '-signed-in');
    await context.close();
  }
}

async function signIn(page: Page, baseUrl: string): Promise<void> {
  await page.goto(`${baseUrl}/auth/ui/login`);
  await page.fill('[name=email]', person.email);
  await page.fill('[name=password]', person.password);
  await page.press('[name=password]', 'Enter');
  await page.waitForURL(/account/);
}

/** The pages of the README: signing in, setting up a second factor, the account, and the administration. */
async function photographForReadme(browser: Browser, baseUrl: string): Promise<void> {
  const form = { width: 560, height: 640 };
  const phone = { width: 360, height: 740 };
  const wide = { width: 1200, height: 640 };
  const looks = [
    { name: 'sign-in', path: '/auth/ui/login', viewport: form, colorScheme: 'light' },
    { name: 'authenticator', path: '/auth/ui/2fa-setup', viewport: form, colorScheme: 'dark' },
    { name: 'account', path: '/auth/ui/account', viewport: phone, colorScheme: 'light' },
    { name: 'panel', path: '/admin', viewport: wide, colorScheme: 'light' },
  ] as const;
  for (const { name, path, ...look } of looks) {
    const context = await browser.newContext({ ...look, locale: 'en' });
    const page = await context.newPage();
    if (name !== 'sign-in') await signIn(page, baseUrl);
    await page.goto(baseUrl + path);
    const begin = page.locator('button[value=begin]');
    if ((await begin.count()) > 0) await Promise.all([page.waitForNavigation(), begin.click()]);
    await page.screenshot({ path: join(docs, `${name}.png`), fullPage: name !== 'account' });
    await context.close();
  }
}

/** People who have signed in over the day, and some who could not. */
async function fillIn(baseUrl: string): Promise<void> {
  const send = (path: string, body: object) =>
    fetch(`${baseUrl}/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (const name of ['grace', 'alan', 'edsger', 'barbara', 'donald', 'margaret']) {
    const account = { email: `${name}@example.com`, password: person.password };
    await send('/register', account);
    for (let time = 0; time < 8; time += 1) await send('/login', account);
  }
  const Database = createRequire(join(service, 'package.json'))('libsql');
  const database = new Database(join(service, 'data/auth.db'));
  const signIns = "action = 'identity.auth.login.success'";
  const hour = 3_600_000;
  database.exec(`update audit_log set occurred_at = occurred_at - abs(random()) % 24 * ${hour} where ${signIns};
update audit_log set action = 'identity.auth.login.failed' where ${signIns} and rowid % 6 = 0`);
  database.close();
}
