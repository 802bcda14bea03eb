import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryFolder } from '../scripts/matrix/child.js';
import { largest } from '../scripts/matrix/combinations.js';
import { emit } from '../scripts/matrix/emit.js';
import { offers } from '../scripts/matrix/offers.js';
import { fromSource, type StartedService, startService } from '../scripts/matrix/start-service.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import {
  areGood,
  type Credentials,
  newCredentials,
  nextAddress,
  signIn,
} from './support/credentials.js';
import { type EmittedRoute, emittedRoutes } from './support/emitted-routes.js';
import { hostileExchange, usualExchanges } from './support/hostile-exchanges.js';
import { answersTo } from './support/raw-answers.js';
import { exchanges } from './support/raw-exchanges.js';

const parent = join(repositoryFolder, 'playground/frameworks');
const catalog = readCatalog(templatesFolder);
/** By framework. */
const services = new Map<string, StartedService>();
let routes: EmittedRoute[];

const administrator = { email: 'root@example.com', password: 'correct horse battery staple' };
const environment = {
  NODE_ENV: 'test',
  BASE_URL: 'http://localhost:3000',
  LOG_LEVEL: 'info',
  TRUST_PROXY: '1',
  REQUEST_TIMEOUT: '1s',
  // No moment at which one of them still takes a token and another one does not.
  REFRESH_REUSE_WINDOW: '0s',
  BCRYPT_COST: '10',
  BOOTSTRAP_ADMIN_EMAIL: administrator.email,
  BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
};

/** For a longer search: `FUZZ_RUNS=20000 FUZZ_SEED=7 npx vitest run test/frameworks.test.ts`. */
const search = {
  seed: Number(process.env.FUZZ_SEED ?? 1),
  numRuns: Number(process.env.FUZZ_RUNS ?? 500),
};

beforeAll(async () => {
  const starting = offers(catalog).framework.map(async (framework) => {
    const everything = largest(catalog);
    const named = { ...everything, framework, name: `${framework}-answers` };
    const folder = await emit(named, parent);
    routes = await emittedRoutes(folder);
    const options = { command: fromSource, env: environment };
    return [framework, await startService(folder, options)] as const;
  });
  for (const [framework, service] of await Promise.all(starting)) services.set(framework, service);
});

afterAll(async () => {
  for (const service of services.values()) await service.stop();
  rmSync(parent, { recursive: true });
});

test.each(Object.entries(exchanges))(
  'all frameworks answer alike, byte for byte: %s',
  async (_name, texts) => {
    for (const text of texts) {
      const answers = await answersOfAll(text);
      expect(answers[0], text.slice(0, 200)).toMatch(/^HTTP\/1\.1 \d{3} /);
      for (const answer of answers) expect(answer, text.slice(0, 200)).toBe(answers[0]);
    }
  },
);

describe('each signed in, an administrator too', () => {
  const probe = 'GET /healthz HTTP/1.1\r\nHost: auth.test\r\nConnection: close\r\n\r\n';
  const users = new Map<string, Credentials>();
  const administrators = new Map<string, Credentials>();

  beforeAll(async () => {
    const { email, password } = administrator;
    for (const { url } of services.values()) {
      administrators.set(url, await signIn(url, email, password));
    }
  });

  /** Of all at once, since limits count what a session has done. */
  async function renewUsers(): Promise<void> {
    const urls = [...services.values()].map(({ url }) => url);
    const good = await Promise.all(
      urls.map(async (url) => {
        const user = users.get(url);
        return user !== undefined && (await areGood(url, user));
      }),
    );
    if (good.every(Boolean)) return;
    await Promise.all(urls.map(async (url) => users.set(url, await newCredentials(url))));
  }

  /** Nothing that was sent may be taken for a part of the request after it: the connection is used once more. */
  async function expectAlike(exchange: string): Promise<void> {
    const address = nextAddress();
    await renewUsers();
    const answers = await answersOfAll(exchange + probe, (url) => ({
      ...users.get(url),
      admin: administrators.get(url)?.access,
      address,
    }));
    for (const answer of answers) expect(answer).toBe(answers[0]);
  }

  test('all frameworks answer alike, byte for byte: every route', async () => {
    for (const route of routes) {
      for (const exchange of usualExchanges(route)) await expectAlike(exchange);
    }
  });

  test('all frameworks answer alike, byte for byte: what nobody would send', async () => {
    await fc.assert(fc.asyncProperty(hostileExchange(routes), expectAlike), search);
  });
});

/** What each of them answers, with its own credentials where a name in braces stands for them. */
function answersOfAll(
  text: string,
  namesAt: (url: string) => Record<string, string | undefined> = () => ({}),
): Promise<string[]> {
  return Promise.all(
    [...services.values()].map(async ({ url }) => {
      const names = namesAt(url);
      return answersTo(
        url,
        text.replaceAll(/\{(\w+)\}/g, (whole, name) => names[name] ?? whole),
      );
    }),
  );
}
