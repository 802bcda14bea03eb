import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { variables } from '../src/config.js';
import { randomId, randomToken } from '../src/process/random.js';
import { browser, nativeClient } from './client.js';
import { begin, comeBack } from './flows/oauth.js';
import { createPasswordAccount } from './flows/password.js';
import { CLIENT_SECRET } from './oauth/authorization-server.js';
import { startIssuer } from './oauth/issuer.js';
import { startProcess } from './process.js';
import { startTestService, type TestService } from './service.js';
import { startSmtpInbox } from './smtp-inbox.js';

/** A user of another server, and the URL with its name and password. */
interface ServerUser {
  url: string;
  remove(): Promise<unknown>;
}

function urlWith(url: string, username: string, password: string): string {
  return Object.assign(new URL(url), { username, password }).href;
}

/** Another user of the service's database; none if it is a file. */
async function addDatabaseUser({ config, services: { db } }: TestService): Promise<ServerUser> {
  const url = config.DATABASE_URL;
  const [name, password] = [`auth_test_${randomId().slice(0, 8)}`, randomToken()];
  const run = (text: string) => sql.raw(text).execute(db);
  const given = { url: urlWith(url, name, password) };
  if (url.startsWith('file:')) return { url, remove: async () => undefined };
  if (url.startsWith('postgres')) {
    const owner = new URL(url).username;
    await run(`create role ${name} login password '${password}' in role ${owner}`);
    return { ...given, remove: () => run(`drop role ${name}`) };
  }
  const database = new URL(url).pathname.slice(1);
  const { rows } = await sql<{
    host: string;
  }>`select substring_index(user(), '@', -1) as host`.execute(db);
  const user = `'${name}'@'${rows[0]?.host}'`;
  await run(`create user ${user} identified by '${password}'`);
  await run(`grant all on ${database}.* to ${user}`);
  return { ...given, remove: () => run(`drop user ${user}`) };
}

/** Another user in the access control lists of Redis; undefined without Redis. */
async function addRedisUser(prefix: string): Promise<ServerUser | undefined> {
  // Not needed where the database is a file of one process.
  if (!('REDIS_URL' in variables)) return undefined;
  const url = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
  const redis = new Redis(url, { retryStrategy: () => null, lazyConnect: true });
  onTestFinished(async () => {
    const keys = isThere ? await redis.keys(`${prefix}*`) : [];
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
  });
  redis.on('error', () => {});
  const isThere = await redis.connect().then(
    () => true,
    () => false,
  );
  if (!isThere) return undefined;
  const [name, password] = [`auth-test-${randomId()}`, randomToken()];
  await redis.call('acl', 'setuser', name, 'on', `>${password}`, '~*', '&*', '+@all');
  return { url: urlWith(url, name, password), remove: () => redis.call('acl', 'deluser', name) };
}

type Secrets = Record<string, string | undefined>;

test('what opens other services is changed by their files and a restart: nobody is locked out, and the old ones can go', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const inbox = await startSmtpInbox();
  const clientSecrets = [CLIENT_SECRET];
  const issuer = await startIssuer('oidc', { isSecret: (text) => clientSecrets.includes(text) });
  // Only for its database: requests go to processes that read the files.
  const service = await startTestService();
  await service.services.workers.mail.stop();
  const account = await createPasswordAccount(service);

  /** The variables that name a file for each secret. */
  function asFiles(secrets: Secrets): Record<string, string> {
    const given = Object.entries(secrets).filter(([, secret]) => secret !== undefined);
    return Object.fromEntries(
      given.flatMap(([name, secret]) => {
        writeFileSync(join(folder, name), `${secret}\n`);
        return [
          [name, ''],
          [`${name}_FILE`, join(folder, name)],
        ];
      }),
    );
  }

  const REDIS_PREFIX = `auth-test-${randomId()}`;
  async function startWith(secrets: Secrets) {
    const shared = { ...issuer.variables, RATE_LIMIT: 'on', REDIS_PREFIX };
    const process = await startProcess({ ...shared, ...asFiles(secrets) });
    const at = { ...service, url: await process.ready() };
    return { ...process, at, client: nativeClient(at) };
  }

  async function end({ child, ended }: Awaited<ReturnType<typeof startWith>>): Promise<void> {
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  }

  const oldUser = await addDatabaseUser(service);
  const oldRedis = await addRedisUser(REDIS_PREFIX);
  inbox.password = 'the old one';
  const before = await startWith({
    DATABASE_URL: oldUser.url,
    REDIS_URL: oldRedis?.url,
    SMTP_URL: urlWith(inbox.url, 'auth', inbox.password),
    OAUTH_OIDC_CLIENT_SECRET: CLIENT_SECRET,
  });
  const { refreshToken } = (await before.client.post('/login', account)).body;
  const person = browser(before.at);
  const answer = await issuer.agree(await begin(person, issuer));

  // A second credential beside each. The mail server takes only one: mails wait until the restart.
  const user = await addDatabaseUser(service);
  const redisUser = await addRedisUser(REDIS_PREFIX);
  onTestFinished(async () => {
    await user.remove();
    await redisUser?.remove();
  });
  clientSecrets.push('another secret');
  inbox.password = 'the new one';
  await before.client.post('/forgot-password', { email: account.email });
  await end(before);
  const after = await startWith({
    DATABASE_URL: user.url,
    REDIS_URL: redisUser?.url,
    SMTP_URL: urlWith(inbox.url, 'auth', inbox.password),
    OAUTH_OIDC_CLIENT_SECRET: 'another secret',
  });
  await oldUser.remove();
  await oldRedis?.remove();
  clientSecrets.shift();

  expect((await after.client.post('/refresh', { refreshToken })).status).toBe(200);
  expect((await after.client.post('/login', account)).status).toBe(200);
  const back = await comeBack(after.at, browser(after.at, person.cookies), answer);
  expect(back.headers.get('location')).toBe('http://app.test/');
  await vi.waitFor(() => expect(inbox.received).toHaveLength(1), 90_000);
  expect(after.output()).not.toContain('counted in memory');
  await end(after);

  // The old ones no longer work.
  if (oldRedis) {
    const stale = new Redis(oldRedis.url, { retryStrategy: () => null, lazyConnect: true });
    stale.on('error', () => {});
    await expect(stale.connect().then(() => stale.ping())).rejects.toThrow();
    stale.disconnect();
  }
  if (oldUser.url === user.url) return;
  const refused = await startProcess(asFiles({ DATABASE_URL: oldUser.url }));
  expect(await refused.ended).toBe(1);
}, 180_000);
