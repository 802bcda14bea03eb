import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { repositoryFolder } from '../../scripts/matrix/child.js';
import { coveringCombinations } from '../../scripts/matrix/combinations.js';
import { emit } from '../../scripts/matrix/emit.js';
import { freshDatabase } from '../../scripts/matrix/fresh-database.js';
import { mailedLinks } from '../../scripts/matrix/outbox.js';
import { startForBrowsers } from '../../scripts/matrix/start-service.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { templatesFolder } from '../../src/package-root.js';
import { startChromium } from '../support/chromium.js';
import { type Provider, providerVariables, startProvider } from './provider.js';

/** Everything that can be chosen, each framework with a different database. */
export const combinations = coveringCombinations(readCatalog(templatesFolder));

export const administrator = { email: 'root@example.com', password: 'correct horse battery' };

/** A running service with everything, as users see it: in a browser, in mails, in texts, and at a provider. */
export interface Site {
  baseUrl: string;
  folder: string;
  provider: Provider;
  /** A page of a new browser. A script that fails, or violates the content security policy, fails the test. */
  visit(options?: BrowserContextOptions): Promise<Page>;
  /** Waits for the newest link to that page that was mailed to an address. */
  linkTo(email: string, path: string): Promise<string>;
  /** The code of the newest text to a number. */
  codeTo(phoneNumber: string): Promise<string>;
  /** Makes all sign-ins so far older than REAUTH_WINDOW; for a service with SQLite. */
  ageSignIns(): void;
  close(): Promise<void>;
}

/** @param name of the files that ask for it: each has a folder of its own. */
export async function openSite(
  name: string,
  combination: (typeof combinations)[number] | undefined = combinations[0],
  env: Record<string, string> = {},
): Promise<Site> {
  if (!combination) throw new Error('Nothing can be chosen.');
  const folder = await emit(combination, join(repositoryFolder, 'playground/pages', name));
  const database = await freshDatabase(folder);
  const provider = await startProvider();
  const texts = await receiveTexts();
  const service = await startForBrowsers(folder, {
    ...database.environment,
    ...providerVariables(provider),
    NODE_ENV: 'development',
    APP_URL: '',
    SERVICE_NAME: 'Acme',
    RATE_LIMIT: 'off',
    BCRYPT_COST: '10',
    EMAIL_VERIFICATION: 'strict',
    SMS_TRANSPORT: 'http',
    SMS_HTTP_URL: texts.url,
    SMS_COUNTRIES: '*',
    BOOTSTRAP_ADMIN_EMAIL: administrator.email,
    BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
    ...env,
  });
  const browser = await startChromium();
  return {
    baseUrl: service.baseUrl,
    folder,
    provider,
    async visit(options = {}) {
      const context = await browser.newContext({
        baseURL: service.baseUrl,
        locale: 'en',
        ...options,
      });
      // Open pages take processor time from the tests after them.
      onTestFinished(() => context.close());
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      page.on('pageerror', ({ message }) => expect.soft(message, 'a script failed').toBe(''));
      page.on('console', (message) => {
        const isPolicy = message.text().includes('Content Security Policy');
        if (isPolicy) expect.soft(message.text()).toBe('');
      });
      return page;
    },
    async linkTo(email, path) {
      const find = () => mailedLinks(folder, email).find((l) => l.includes(path));
      await expect.poll(find, { timeout: 60_000, interval: 100 }).toBeDefined();
      return find() ?? '';
    },
    async codeTo(phoneNumber) {
      const find = () => texts.received.findLast(({ to }) => to === phoneNumber);
      await expect.poll(find, { timeout: 60_000, interval: 100 }).toBeDefined();
      const code = /\d{6}/.exec(find()?.text ?? '')?.[0] ?? '';
      texts.received.length = 0;
      return code;
    },
    ageSignIns() {
      const Sqlite: new (file?: string) => SqliteFile = createRequire(folder)('libsql');
      const file = new Sqlite(database.environment.DATABASE_URL?.replace('file:', ''));
      file.exec('pragma busy_timeout = 20000');
      file.exec(
        'update sessions set factors = (select json_group_object(key, 1) from json_each(factors))',
      );
      file.close();
    },
    async close() {
      await browser.close();
      await service.stop();
      texts.close();
      provider.close();
      await database.drop();
    },
  };
}

interface SqliteFile {
  exec(sql: string): void;
  close(): void;
}

interface Text {
  to: string;
  text: string;
}

/** What SMS_TRANSPORT=http posts to. */
async function receiveTexts() {
  const received: Text[] = [];
  const server = createServer(async (request, response) => {
    received.push((await json(request)) as Text);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: urlOf(server), received, close: () => server.close() };
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
