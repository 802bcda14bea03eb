import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { repositoryFolder } from '../scripts/matrix/child.js';
import { fullCombinations, largest } from '../scripts/matrix/combinations.js';
import { bundleProblem } from '../scripts/matrix/compiler.js';
import { emit } from '../scripts/matrix/emit.js';
import { type StartedService, startService } from '../scripts/matrix/start-service.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';

const parent = join(repositoryFolder, 'playground/frameworks');
const preload = join(import.meta.dirname, 'support/trace-routes.mjs');
const catalog = readCatalog(templatesFolder);
const { database } = largest(catalog);
const combinations = fullCombinations(catalog).filter((each) => each.database === database);
const prefixes = ['/auth', ...catalog.flatMap(({ mountedAt }) => mountedAt ?? [])];
/** By the combination's name. */
const services = new Map<string, StartedService>();

const email = 'root@example.com';
const password = 'correct horse battery staple';
const environment = {
  NODE_ENV: 'test',
  BASE_URL: 'http://localhost:3000',
  APP_URL: 'http://app.test',
  LOG_LEVEL: 'info',
  BODY_LIMIT: '1kb',
  RATE_LIMIT: 'off',
  BCRYPT_COST: '10',
  BOOTSTRAP_ADMIN_EMAIL: email,
  BOOTSTRAP_ADMIN_PASSWORD: password,
};

/** What the tracing of Hono needs in addition: its package is a middleware. */
const HONO_TRACING = "import { httpInstrumentationMiddleware } from '@hono/otel';\n";
const HONO_LINES = `  app.use(httpInstrumentationMiddleware());
  app.get('/where', (c) => c.text(c.req.url));
`;

/** The route that `src/app.ts` suggests in a comment, uncommented. */
function withSuggestedRoute(app: string): string {
  const route = /^ *\/\/ app\.get\(.*\n(?: *\/\/ .*\n)*/m;
  const imported = app.replace(' refuseErrors,', ' refuseErrors, requireUser,');
  return imported.replace(route, (text) => text.replaceAll('// ', ''));
}

beforeAll(async () => {
  const starting = combinations.map(async (combination) => {
    const { name } = combination;
    const folder = await emit(combination, parent);
    const app = join(folder, 'src/app.ts');
    const text = readFileSync(app, 'utf8');
    const marker = '  const app = new Hono<AuthEnv>();\n';
    const traced = text.replace(marker, marker + HONO_LINES);
    writeFileSync(app, (traced === text ? '' : HONO_TRACING) + withSuggestedRoute(traced));
    // As docs/own-app.md says of Express: what is bundled cannot be instrumented.
    const config = join(folder, 'esbuild.config.ts');
    const built = readFileSync(config, 'utf8').replace('external: [', "$&\n    'express',");
    writeFileSync(config, built);
    expect(await bundleProblem(folder)).toBeUndefined();
    const service = await startService(folder, {
      command: [process.execPath, '--import', preload, 'dist/main.js'],
      env: { ...environment, SPANS_FILE: spansFile(name) },
    });
    return [name, service] as const;
  });
  for (const [name, service] of await Promise.all(starting)) services.set(name, service);
});

afterAll(async () => {
  for (const service of services.values()) expect(await service.stop()).toBe(0);
  rmSync(parent, { recursive: true });
});

const JSON_TYPE = { 'content-type': 'application/json' };
const PAGE = { origin: 'http://app.test' };
const PREFLIGHT = { ...PAGE, 'access-control-request-method': 'POST' };

/** Method and target, the body if there is one, headers. */
type Exchange = [request: string, body?: string | Uint8Array, headers?: Record<string, string>];

const exchanges: Record<string, Exchange[]> = {
  'paths as they are spelled': [
    ...['/', '/nothing', '/auth', '/auth/', '/auth/me/', '/AUTH/me', '/auth/ME', '//auth/me'],
    ...['/auth//me', '/auth/me//', '/auth%2fme', '/auth/me%2f', '/auth/%zz', '/auth/me%', '/%'],
    ...['/auth/me?', '/auth/me?a=%zz', '/auth/me?a=1&a=2', '/auth/sessions/', '/.env'],
    ...['/auth/sessions/%zz', '/auth/sessions/%ff', '/auth/sessions/a%2fb', '/auth/oauth/%zz'],
    ...['/auth/oauth/', '/auth/oauth/a%2fb', '/auth/oauth/google/', '/auth/oauth/%67oogle'],
    ...['/auth/%6de', '/%61uth/me', '/auth/me%20', '/healt%68z', '/auth/%6fauth/google'],
  ].map((path): Exchange => [`GET ${path}`]),
  'parameters of all kinds': [
    ...['%00', '%0d%0aX-Injected:%20yes', 'a%2fb', '%zz', 'x%', '%F0%9F%94%91', '%25zz'],
    ...['a%3Fb', 'a;b', 'x'.repeat(4000), '__proto__', '', 'cleanup'],
  ].map((handle): Exchange => [`DELETE /auth/sessions/${handle}`]),
  methods: [
    ['HEAD /auth/me'],
    ['HEAD /auth/refresh'],
    ['HEAD /healthz'],
    ['HEAD /nothing'],
    ['OPTIONS /auth/sessions/x'],
    ['OPTIONS /nothing'],
    ['PROPFIND /auth/me'],
    ['PROPFIND /auth/sessions/x'],
    ['PROPFIND /nothing'],
    ['QUERY /auth/me'],
    ['PUT /auth/me', '{', JSON_TYPE],
    ['POST /auth/%6cogin', '{}', JSON_TYPE],
    ['PUT /auth/%6de', '{', JSON_TYPE],
    ['DELETE /auth/refresh', 'x'.repeat(2000)],
    ['POST /healthz', '{}', JSON_TYPE],
  ],
  'preflights and origins': [
    ['OPTIONS /auth/refresh', undefined, PREFLIGHT],
    ['OPTIONS /nothing', undefined, PREFLIGHT],
    ['OPTIONS /auth/refresh', undefined, { ...PREFLIGHT, origin: 'http://evil.test' }],
    ['GET /auth/me', undefined, PAGE],
    ['GET /nothing', undefined, PAGE],
    ['POST /auth/login', '{}', { ...JSON_TYPE, origin: 'http://evil.test' }],
  ],
  'a route that a team adds to src/app.ts': [
    ['GET /hello'],
    ['GET /hello', undefined, PAGE],
    ['GET /hello', undefined, { origin: 'http://evil.test' }],
    ['OPTIONS /hello', undefined, PREFLIGHT],
    ['OPTIONS /hello', undefined, { ...PREFLIGHT, origin: 'http://evil.test' }],
  ],
  bodies: [
    ...['', '{', '[]', 'null', '"x"', '{}', ' ', '\ufeff{}', '{"email":"\\ud800","password":"x"}'],
    ...[`{"x":${'['.repeat(200)}${']'.repeat(200)}}`, 'x'.repeat(2000), '{"email":1}'],
  ].flatMap((body): Exchange[] => [
    ['POST /auth/login', body, JSON_TYPE],
    ['POST /auth/logout', body, JSON_TYPE],
    ['POST /auth/profile', body, JSON_TYPE],
    ['POST /nothing', body, JSON_TYPE],
    ['POST /tools/webhook/x', body, JSON_TYPE],
  ]),
  'types of bodies': [
    ...['text/plain', 'application/jsonp', 'multipart/form-data; boundary=x', 'nonsense', ';;'],
    ...['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/x-www-form-urlencoded'],
  ].flatMap((type): Exchange[] => [
    ['POST /auth/login', '{}', { 'content-type': type }],
    ['POST /auth/logout', '{}', { 'content-type': type }],
    ['PUT /auth/me', '{}', { 'content-type': type }],
    ['POST /nothing', '{}', { 'content-type': type }],
  ]),
  'bodies without a type, compressed, in other encodings': [
    ['POST /auth/login', Buffer.from('{}')],
    ['POST /auth/login', Buffer.from([0x7b, 0xff, 0x7d]), JSON_TYPE],
    ['POST /auth/login', '{}', { ...JSON_TYPE, 'content-encoding': 'gzip' }],
  ],
};

test.each(Object.entries(exchanges))('all frameworks answer alike: %s', async (_name, all) => {
  for (const exchange of all) await expectAlike(exchange);
});

/** `fetch` resolves such targets before it sends them. */
test.each([
  ...['/auth/../healthz', '/auth/%2e%2E/healthz', '/auth/.%2e/healthz', '/nothing/../auth/me'],
  ...['/auth/./me', '/auth/me/..', '/auth/me/.', '/auth/ui/../me', '/auth\\me', '*'],
  // A proxy that lets only some paths pass may compare them as they are spelled.
  ...['/%61uth/me', '/auth/m%65', '/%61dmin/api/ping', '/auth/s%65ssions/x'],
])('all frameworks answer alike: the target %s is not found', async (target) => {
  for (const method of ['GET', 'DELETE', 'OPTIONS']) {
    const [first, ...others] = await answersOnWire(`${method} ${target} HTTP/1.1\r\nHost: x\r\n`);
    expect(first).toMatch(/^HTTP.1.1 404 /);
    for (const other of others) expect(sortedLines(other)).toEqual(sortedLines(first));
  }
});

test('all frameworks answer alike: dots in a query are data', async () => {
  const answers = await answersOnWire('GET /auth/me?next=/../x HTTP/1.1\r\nHost: x\r\n');
  for (const each of answers) expect(each).toContain('"code":"INVALID_TOKEN"');
});

test.each([
  'GET /where HTTP/1.1\r\nHost: evil.test\r\n',
  'GET http://evil.test/where HTTP/1.1\r\nHost: evil.test\r\n',
])('the URL that Hono tells a route has the host of BASE_URL: %j', async (head) => {
  const answers = await answersOnWire(head);
  expect(answers.join('')).toContain('\r\n\r\nhttp://localhost:3000/where');
});

test('all frameworks answer alike: a target with a host or a fragment', async () => {
  const below = 'http://evil.test/auth/sessions/x';
  for (const target of ['http://evil.test/auth/me', '/auth/me#x', below]) {
    for (const [method, code] of [
      [target === below ? 'DELETE' : 'GET', 'INVALID_TOKEN'],
      ['PUT', 'METHOD_NOT_ALLOWED'],
    ]) {
      const answers = await answersOnWire(`${method} ${target} HTTP/1.1\r\nHost: x\r\n`);
      for (const each of answers) expect(each).toContain(`"code":"${code}"`);
    }
  }
});

test.each([
  ['GARBAGE\r\n', 400],
  ['POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n', 400],
  [`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n`, 431],
])('all frameworks answer alike: what Node refuses to parse, %#', async (head, status) => {
  for (const each of await answersOnWire(head)) {
    expect(each).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\w ]+\r\nConnection: close\r\n\r\n$`));
  }
});

test('all frameworks answer alike: every route, signed out and as an administrator', async () => {
  const tokens = new Map<string, string>();
  for (const [name, { url }] of services) {
    const response = await fetch(`${url}/auth/login`, {
      method: 'POST',
      headers: { ...JSON_TYPE, 'x-auth-strategy': 'bearer' },
      body: JSON.stringify({ email, password }),
    });
    const { accessToken } = (await response.json()) as { accessToken: string };
    tokens.set(name, accessToken);
  }
  const routes = (await Promise.all(prefixes.map(routesBelow))).flat();
  expect(routes.length).toBeGreaterThan(60);
  const calm = routes.filter(({ path }) => path !== '/auth/account' && path !== '/auth/logout');
  for (const { method, path } of calm) {
    const request = `${method} ${path.replaceAll(/\{\w+\}/g, 'unknown')}`;
    const body = method === 'GET' ? undefined : '{}';
    await expectAlike([request, body, JSON_TYPE]);
    await expectAlike([request, body, JSON_TYPE], tokens);
    await expectAlike([`PROPFIND ${path.replaceAll(/\{\w+\}/g, 'unknown')}`]);
  }
});

test.each(combinations)(
  'a route in src/app.ts of $name lets pages of allowed origins call it',
  async ({ name }) => {
    const url = `${services.get(name)?.url}/hello`;
    for (const [method, headers, status] of [
      ['OPTIONS', PREFLIGHT, 204],
      ['GET', PAGE, 401],
    ] as const) {
      const response = await fetch(url, { method, headers });
      expect(response.status).toBe(status);
      expect(response.headers.get('access-control-allow-origin')).toBe('http://app.test');
      expect(response.headers.get('x-request-id')).toBeTruthy();
    }
  },
);

test.each(combinations)('traces of $name name the routes', async ({ name }) => {
  await fetch(`${services.get(name)?.url}/auth/sessions/some-handle`, { method: 'DELETE' });
  const isTraced = () =>
    expect(readFileSync(spansFile(name), 'utf8')).toContain('/auth/sessions/:handle');
  await vi.waitFor(isTraced, 60_000);
});

function spansFile(name: string): string {
  return join(parent, name, 'spans.jsonl');
}

/** As the first service publishes them. */
async function routesBelow(prefix: string): Promise<{ method: string; path: string }[]> {
  const [service] = services.values();
  const response = await fetch(`${service?.url}${prefix}/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: prefix + path })),
  );
}

async function expectAlike(exchange: Exchange, tokens = new Map<string, string>()): Promise<void> {
  const [first, ...others] = await Promise.all(
    [...services].map(async ([name, { url }]) => {
      const token = tokens.get(name);
      return answerTo(url, exchange, token ? { authorization: `Bearer ${token}` } : {});
    }),
  );
  expect(first?.status, exchange[0]).toBeLessThan(500);
  for (const other of others) expect(other, exchange[0].slice(0, 200)).toEqual(first);
}

/** Headers that may differ: time, request id, its length, and how the connection is kept. */
const UNNAMED = [
  'date',
  'connection',
  'keep-alive',
  'x-request-id',
  'transfer-encoding',
  'content-length',
];

async function answerTo(url: string, [request, body, headers]: Exchange, more: object) {
  const [method = '', target = ''] = request.split(' ');
  const response = await fetch(url + target, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...more },
    ...(body === undefined ? {} : { body }),
  });
  const named = [...response.headers].filter(([name]) => !UNNAMED.includes(name));
  return {
    status: response.status,
    headers: named.map(([name, value]) => [name, withoutChance(value)]),
    body: withoutChance(await response.text()),
  };
}

/** The responses to these bytes, without headers that may differ. */
function answersOnWire(head: string): Promise<string[]> {
  const answers = [...services.values()].map(async ({ url }) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.end(`${head}Connection: close\r\n\r\n`);
    return (await text(socket)).replaceAll(/^(date|x-request-id): .*\r\n/gim, '');
  });
  return Promise.all(answers);
}

function sortedLines(response = ''): string[] {
  return withoutChance(response.toLowerCase()).split('\r\n').sort();
}

/** Ids, secrets and times differ in each service, and so does the order of what happens within one millisecond. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/"audit":\[.*\]/g, '"audit":*')
    .replaceAll(/"(secret|otpauthUrl|qrCode)":"[^"]*"/g, '"$1":*')
    .replaceAll(/(?=[\w+/=.-]*\d)[\w+/=.-]{16,}/g, '*')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d{6,}/g, '*');
}
