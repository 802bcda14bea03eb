import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runChild } from '../scripts/matrix/child.js';
import { type FreshDatabase, freshDatabase } from '../scripts/matrix/fresh-database.js';
import { type StartedService, startService } from '../scripts/matrix/start-service.js';
import { type Receiver, startReceiver } from '../scripts/upgrades/receiver.js';
import { buildService } from './support/built-service.js';
import { type Answer, send } from './support/native-client.js';
import { type RoundRobin, startRoundRobin } from './support/round-robin.js';

/** Two processes of one service with everything, on one PostgreSQL and one Redis, behind a balancer. */
let folder: string;
let database: FreshDatabase;
let environment: Record<string, string>;
let one: StartedService;
let two: StartedService;
let balancer: RoundRobin;
let hooks: Receiver;

const PASSWORD = 'correct horse battery staple';

beforeAll(async () => {
  folder = await buildService('instances', { database: 'postgres' });
  database = await freshDatabase(folder);
  environment = {
    ...database.environment,
    REDIS_URL: process.env.TEST_REDIS_URL || 'redis://127.0.0.1:6379',
    REDIS_PREFIX: `auth-test-${randomUUID()}`,
    BCRYPT_COST: '10',
    RATE_LIMIT: 'off',
    WEBHOOK_ALLOW_PRIVATE: 'on',
  };
  // At the same time: each finds the database empty, and one migrates.
  [one, two] = await Promise.all([start(), start()]);
  balancer = await startRoundRobin([one.url, two.url]);
  hooks = await startReceiver();
  const add = ['dist/webhooks.js', 'add', hooks.url, 'identity.session.created'];
  const added = await runChild(folder, [process.execPath, ...add], environment);
  expect(added.exitCode, added.text).toBe(0);
});

afterAll(async () => {
  await Promise.allSettled([balancer.close(), one.stop(), two.stop()]);
  await hooks.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

function start(changes: Record<string, string> = {}): Promise<StartedService> {
  return startService(folder, { env: { ...environment, ...changes } });
}

/** Sends a POST with the body if there is one, else a GET. */
function ask(url: string, path: string, body?: object, token?: string): Promise<Answer> {
  return send(url, body ? 'POST' : 'GET', path, body, token);
}

/** Opens an account. @returns its address */
async function register(): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const { status } = await ask(balancer.url, '/register', { email, password: PASSWORD });
  expect(status).toBe(201);
  return email;
}

interface Tokens {
  accessToken: string;
  refreshToken: string;
}

async function signIn(url: string, email: string): Promise<Tokens> {
  const { status, body } = await ask(url, '/login', { email, password: PASSWORD });
  expect(status).toBe(200);
  const { accessToken = '', refreshToken = '' } = body;
  return { accessToken, refreshToken };
}

/** The session that an access token names. */
function sessionOf({ accessToken }: Tokens): string {
  const claims = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString();
  return String(JSON.parse(claims).sid);
}

const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

test('twenty refreshes with one token, on both at once, give one live token', async () => {
  const { refreshToken } = await signIn(one.url, await register());
  const before = new Map(balancer.answered);
  const answers = await times(20, () => ask(balancer.url, '/refresh', { refreshToken }));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1);
  for (const { url } of [one, two]) {
    expect((balancer.answered.get(url) ?? 0) - (before.get(url) ?? 0)).toBe(10);
    expect((await ask(url, '/me', undefined, answers[0]?.body.accessToken)).status).toBe(200);
  }
});

test('a link that works once works once, if twenty requests bring it to both at once', async () => {
  const email = await register();
  await ask(two.url, '/forgot-password', { email });
  const token = await vi.waitFor(() => resetTokenFor(email), { timeout: 20_000 });
  const answers = await times(20, () =>
    ask(balancer.url, '/reset-password', { token, newPassword: PASSWORD }),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array(19).fill(400)]);
});

/** The token of the mail to an address, which the instances put into one folder. Throws if there is none yet. */
function resetTokenFor(email: string): string {
  const outbox = join(folder, 'data/outbox');
  const mails = readdirSync(outbox).map((name) => readFileSync(join(outbox, name), 'utf8'));
  const mail = mails.find((text) => text.includes(email) && text.includes('reset-password'));
  const [, token] =
    /reset-password\?token=3D([\da-f]{64})/.exec(mail?.replace(/=\r\n/g, '') ?? '') ?? [];
  if (token === undefined) throw new Error(`There is no mail to ${email}.`);
  return token;
}

test('a session that one instance ends is refused by the other at its next request', async () => {
  const email = await register();
  for (const [here, there] of [
    [one, two],
    [two, one],
  ] as const) {
    const { accessToken, refreshToken } = await signIn(here.url, email);
    expect((await ask(there.url, '/me', undefined, accessToken)).status).toBe(200);
    expect((await ask(here.url, '/logout', { refreshToken })).status).toBe(200);
    const refused = await ask(there.url, '/me', undefined, accessToken);
    expect([refused.status, refused.body.code]).toEqual([401, 'SESSION_REVOKED']);
  }
});

// Again if it fails: an instance that waits for Redis longer than 500 ms, as on a busy machine, counts on its own.
test('wrong passwords are counted together', { retry: 1 }, async () => {
  const email = await register();
  const limited = await times(2, () => start({ RATE_LIMIT: 'on' }));
  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    const url = limited[count % 2]?.url ?? '';
    statuses.push((await ask(url, '/login', { email, password: 'wrong' })).status);
  }
  await Promise.all(limited.map((service) => service.stop()));
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
});

test('each event is delivered, and none twice', async () => {
  const emails = await times(4, register);
  const tokens: Tokens[] = [];
  for (let round = 0; round < 10; round += 1) {
    tokens.push(...(await Promise.all(emails.map((email) => signIn(balancer.url, email)))));
  }
  await untilTold(tokens);
  // Deliveries are claimed before they are sent: none that had arrived by now comes again.
  const told = hooks.sessions.filter((session) => tokens.map(sessionOf).includes(session));
  expect(told).toHaveLength(tokens.length);
});

/** Waits until the receiver has got the events of all these sign-ins. */
async function untilTold(tokens: Tokens[]): Promise<void> {
  const expected = tokens.map(sessionOf);
  await vi.waitFor(
    () => expect(expected.filter((session) => !hooks.sessions.includes(session))).toEqual([]),
    { timeout: 90_000, interval: 200 },
  );
}

test('kill -9 under load: whatever was answered holds, and every event arrives', async () => {
  const emails = await times(8, register);
  const tokens: Tokens[] = [];
  let killed: Promise<void> | undefined;

  /** Signs in ten times, each time until it is answered. */
  async function work(email: string): Promise<void> {
    for (let count = 0; count < 10; count += 1) {
      const { status, body } = await ask(balancer.url, '/login', { email, password: PASSWORD });
      // The connection broke: a user would try again.
      if (status === 502) count -= 1;
      else {
        expect(status).toBe(200);
        const { accessToken = '', refreshToken = '' } = body;
        tokens.push({ accessToken, refreshToken });
      }
      if (tokens.length >= 20) killed ??= two.kill();
    }
  }

  await Promise.all(emails.map(work));
  await killed;
  expect(tokens).toHaveLength(80);
  expect(balancer.failures).toEqual([]);
  // Each of the eight had one request running; all later ones went to the other instance.
  expect(balancer.broken).toBeLessThanOrEqual(8);
  const [first] = await Promise.all(
    tokens.map(({ accessToken }) => ask(one.url, '/me', undefined, accessToken)),
  );
  expect(first?.status).toBe(200);
  const refreshed = await Promise.all(
    tokens.map(({ refreshToken }) => ask(balancer.url, '/refresh', { refreshToken })),
  );
  expect(new Set(refreshed.map(({ status }) => status))).toEqual(new Set([200]));
  // Its claims expire after 25 seconds, and the other one sends the deliveries.
  await untilTold(tokens);
});
