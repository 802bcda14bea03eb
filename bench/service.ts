import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { refuseStaleTemplates } from '../scripts/build/pack-templates.js';
import { commandFile, repositoryFolder } from '../scripts/matrix/child.js';
import type { LoadRequest } from './load.js';
import { type Server, startServer, workFolder } from './server.js';

/** Each on SQLite, which needs no server. */
export const frameworks = ['express', 'fastify', 'hono'] as const;
export type Framework = (typeof frameworks)[number];

/** As low as production allows: the bench looks at what is around the hash. */
export const bcryptCost = 10;
const password = 'correct horse battery staple';
const admin = { email: 'admin@example.com', password };

/** How the service is run here; repeated below the table. */
export const settings =
  'NODE_ENV=production RATE_LIMIT=off LOG_LEVEL=fatal BCRYPT_COST=10 REFRESH_REUSE_WINDOW=0s; SQLite WAL, synchronous=NORMAL';

const environment = {
  NODE_ENV: 'production',
  MIGRATE_ON_START: 'on',
  ACCESS_TOKEN_SECRET: 'f3a90c5d7e1b48269fd05c7ab1e6348d',
  REFRESH_TOKEN_SECRET: '8b27e4d1c6f0953a7be2d84c1f605a9e',
  DATA_KEY: '5c0e8a7d3b914f62a6d1908e7bc2f543',
  BASE_URL: 'http://127.0.0.1:3000',
  APP_URL: 'http://127.0.0.1:3000',
  SMTP_URL: 'smtp://127.0.0.1:1',
  SMS_TRANSPORT: 'http',
  SMS_HTTP_URL: 'http://127.0.0.1:1/',
  SMS_COUNTRIES: '*',
  MAIL_FROM: 'bench@example.com',
  BCRYPT_COST: String(bcryptCost),
  RATE_LIMIT: 'off',
  WEBHOOK_ALLOW_PRIVATE: 'on',
  BOOTSTRAP_ADMIN_EMAIL: admin.email,
  BOOTSTRAP_ADMIN_PASSWORD: admin.password,
  // The administrator signs in with the password alone.
  ADMIN_2FA: 'off',
  // A session is refreshed here thousands of times more often than in practice; with the usual window its row would fill
  // with used tokens, as no real one does.
  REFRESH_REUSE_WINDOW: '0s',
  LOG_LEVEL: 'fatal',
};

/** The emitted service with everything, built as for production. */
export async function emitService(framework: Framework): Promise<void> {
  const folder = join(workFolder, framework);
  refuseStaleTemplates(repositoryFolder);
  await rm(folder, { recursive: true, force: true });
  const flags = ['--yes', '--no-install', '--no-git', '--quiet'];
  await execa('node', [commandFile, folder, '--framework', framework, ...flags]);
  await execa('npm', ['run', 'build'], { cwd: folder });
}

/**
 * Starts the built service on its database, which keeps the data of earlier starts.
 * @param isAlone without the bench's probe, which would be measured along; then it cannot tell its usage
 * @param variables over those of every start
 */
export async function startService(
  framework: Framework,
  {
    isAlone = false,
    variables = {},
  }: { isAlone?: boolean; variables?: Record<string, string> } = {},
): Promise<Server> {
  const folder = join(workFolder, framework);
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const main = join(folder, scripts.start.replace(/^node /, ''));
  const database = { DATABASE_URL: `file:${join(folder, 'bench.db')}` };
  const probe = isAlone ? [] : undefined;
  return startServer(main, '/readyz', { ...environment, ...database, ...variables }, folder, probe);
}

/** Sends a JSON request. @throws Error unless the answer is 2xx */
export async function send(port: number, path: string, body: object, more: RequestInit = {}) {
  const headers = { 'Content-Type': 'application/json', ...more.headers };
  const init = { method: 'POST', ...more, headers, body: JSON.stringify(body) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response;
}

/** The headers of the administrator that the service created at startup. */
export async function adminHeaders(port: number): Promise<Record<string, string>> {
  const { accessToken } = await tokensOf(port, admin);
  return { Authorization: `Bearer ${accessToken}` };
}

/** The cookies of a browser that this administrator has signed in with. */
export async function adminCookies(port: number): Promise<string> {
  const answer = await send(port, '/auth/login', admin);
  return cookiesOf(answer)
    .map((pair) => pair.join('='))
    .join('; ');
}

function cookiesOf(answer: Response): [string, string][] {
  return answer.headers.getSetCookie().map((each) => {
    const [name = '', value = ''] = each.replace(/;.*/, '').split('=');
    return [name, value];
  });
}

const bearer = { 'X-Auth-Strategy': 'bearer' };

async function tokensOf(port: number, account: object) {
  const answer = await send(port, '/auth/login', account, { headers: bearer });
  return (await answer.json()) as { accessToken: string; refreshToken: string };
}

/** A user's requests: from a browser in one session, from an API client in another. */
interface Visitor {
  login: LoadRequest;
  meByCookie: LoadRequest;
  meByBearer: LoadRequest;
  refreshByCookie: LoadRequest;
  refreshByBearer: LoadRequest;
}

let lastUser = 0;

/** Registers users and signs each in twice, over HTTP. */
export async function addVisitors(port: number, count: number): Promise<Visitor[]> {
  const visitors: Visitor[] = [];
  const add = async () => {
    while (visitors.length < count) visitors.push(await addVisitor(port));
  };
  await Promise.all(Array.from({ length: Math.min(8, count) }, add));
  return visitors.slice(0, count);
}

async function addVisitor(port: number): Promise<Visitor> {
  const account = { email: `user-${++lastUser}-${process.pid}@example.com`, password };
  await send(port, '/auth/register', { ...account, firstName: 'Ada', lastName: 'Lovelace' });
  const answer = await send(port, '/auth/login', account);
  const cookies = new Map(cookiesOf(answer));
  const tokens = await tokensOf(port, account);
  const named = (end: string) => [...cookies.keys()].find((name) => name.endsWith(end)) ?? '';
  const cookie = (pairs: Map<string, string>) =>
    [...pairs].map((pair) => pair.join('=')).join('; ');
  const refreshName = named('refreshToken');
  const refreshCookies = cookie(new Map([...cookies, [refreshName, '{token}']]));
  const csrf = cookies.get(named('csrf-token')) ?? '';
  const json = { 'Content-Type': 'application/json' };
  const authorized = { Authorization: `Bearer ${tokens.accessToken}` };
  return {
    login: { method: 'POST', path: '/auth/login', headers: json, body: JSON.stringify(account) },
    meByCookie: { method: 'GET', path: '/auth/me', headers: { Cookie: cookie(cookies) } },
    meByBearer: { method: 'GET', path: '/auth/me', headers: authorized },
    refreshByCookie: {
      method: 'POST',
      path: '/auth/refresh',
      headers: { Cookie: refreshCookies, 'X-CSRF-Token': csrf },
      token: cookies.get(refreshName) ?? '',
    },
    refreshByBearer: {
      method: 'POST',
      path: '/auth/refresh',
      headers: { ...json, ...bearer },
      body: '{"refreshToken":"{token}"}',
      token: tokens.refreshToken,
    },
  };
}
