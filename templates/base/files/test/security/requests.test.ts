import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { request, type Server } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { randomId } from '../../src/process/random.js';
import { type Client, nativeClient, sendRaw } from '../client.js';
import { startTestService, type TestService } from '../service.js';
import { signInAs, signInBrowserAs, startSignedIn } from '../sign-in-as.js';
import { atLastStep, fill, isUnsafe, routesOf, startWithFlows } from './flow.js';

const MINUTE_POINTS = 'ratelimit-remaining';

test('F-12 GHSA-p6v2-xcpg-h6xw, better-auth #9990 #10203 #9134 class refused: no header and no address of one network escapes a limit', async () => {
  const remainingOf = async (client: Client, forwarded: string) =>
    Number((await client.get('/me', { 'x-forwarded-for': forwarded })).headers.get(MINUTE_POINTS));
  const exposed = nativeClient(await startTestService({ RATE_LIMIT: 'on' }));
  const first = await remainingOf(exposed, '203.0.113.1');
  expect(await remainingOf(exposed, '203.0.113.2')).toBe(first - 1);
  expect(await remainingOf(exposed, '2001:db8::1')).toBe(first - 2);

  const behind = nativeClient(await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }));
  for (const [nth, address] of [
    [0, '203.0.113.1'],
    [1, '::ffff:203.0.113.1'],
    [2, '198.51.100.7, 203.0.113.1'],
    [3, 'unknown, 203.0.113.1'],
    [0, '203.0.113.2'],
    [0, '2001:db8:1:2::1'],
    [1, '2001:DB8:1:2:ffff:0:0:3'],
    [0, '2001:db8:1:3::1'],
    // An entry that is no address counts for the proxy that sent it: one bucket however it is spelled.
    [0, 'unknown'],
    [1, ''],
    [2, 'x'.repeat(4000)],
  ] as const) {
    expect([address, await remainingOf(behind, address)]).toEqual([address, first - nth]);
  }
});

/** Accepts requests on a Unix socket as well, as from a proxy on the same machine. */
async function openSocketOf(service: TestService): Promise<string> {
  let server: Server | undefined;
  const note = (message: unknown) => {
    ({ server } = message as { server: Server });
  };
  subscribe('http.server.request.start', note);
  await nativeClient(service).get('/me');
  unsubscribe('http.server.request.start', note);
  const path = join(tmpdir(), `auth-${randomId()}.sock`);
  const sockets = createServer((socket) => server?.emit('connection', socket)).listen(path);
  onTestFinished(() => void sockets.close());
  await once(sockets, 'listening');
  return path;
}

test('F-12 better-auth #9990 class refused: a connection without an address is limited, and a header escapes nothing', async () => {
  for (const [trusted, isSpoofed] of [
    ['0', false],
    ['127.0.0.1', false],
    ['1', true],
  ] as const) {
    const service = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: trusted });
    const socketPath = await openSocketOf(service);
    const remaining = async (headers: Record<string, string>) => {
      const sent = request({ socketPath, path: '/auth/me', agent: false, headers }).end();
      const [response] = await once(sent, 'response');
      response.resume();
      return Number(response.headers[MINUTE_POINTS]);
    };
    const first = await remaining({});
    expect(await remaining({})).toBe(first - 1);
    // Only a trusted proxy may name the client.
    const forwarded = await remaining({ 'x-forwarded-for': '203.0.113.1' });
    expect([trusted, forwarded]).toEqual([trusted, isSpoofed ? first : first - 2]);
    const unknown = await remaining({ 'x-forwarded-for': 'unknown' });
    expect([trusted, unknown]).toEqual([trusted, isSpoofed ? first - 2 : first - 3]);
  }
});

test('F-13 better-auth #10004, CVE-2026-47676 class refused: no spelling of a path gets past its guards', async () => {
  const service = await startTestService();
  for (const { method, path, ...route } of routesOf(service)) {
    const isPublic = route.access === 'public';
    if (isPublic && (method === 'GET' || route.anyOrigin)) continue;
    // The origin of the page is what guards a public route.
    const headers: Record<string, string> = isPublic ? { origin: 'http://evil.test' } : {};
    const plain = fill(path, 'x');
    for (const spelled of [
      plain,
      `/${plain}`,
      `${plain}/`,
      `${plain}//`,
      `${plain}%2f`,
      `${plain}%00`,
      `/.${plain}`,
      `/x/..${plain}`,
      plain.replaceAll('/', '%2f').replace('%2f', '/'),
      plain.toUpperCase(),
      `/%${plain.charCodeAt(1).toString(16)}${plain.slice(2)}`,
    ]) {
      const { status = 0 } = await sendRaw(service, { method, path: spelled, headers });
      const isRefused = [401, 403, 404, 405].includes(status);
      expect([method, spelled, isRefused]).toEqual([method, spelled, true]);
    }
  }
});

test('F-14 CVE-2026-47673 class refused: an access token counts only after Bearer', async () => {
  const { service, accessToken } = await startSignedIn();
  const statusOf = async (authorization: string) =>
    (await nativeClient(service).get('/me', { authorization })).status;
  expect(await statusOf(`bearer ${accessToken}`)).toBe(200);
  for (const scheme of ['', 'Foo ', 'Basic ', 'Token ', 'BearerX ', 'Foo Bearer ', 'Bearer Foo ']) {
    expect([scheme, await statusOf(`${scheme}${accessToken}`)]).toEqual([scheme, 401]);
  }
  expect(await statusOf(`Bearer ${accessToken}, Foo x`)).toBe(401);
  expect(await statusOf(`Foo x, Bearer ${accessToken}`)).toBe(401);
});

test('F-15 GHSA-92vj, GHSA-2234 class refused: no form of a body gets past BODY_LIMIT or CSRF', async () => {
  const service = await startTestService({ BODY_LIMIT: '1kb' });
  const { client } = await signInBrowserAs(service, { role: 'admin' });
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const types = ['', 'application/json', 'application/json; x', 'text/json', 'text/plain', ','];
  for (const { method, path, access, anyOrigin, neverRefuses } of routesOf(service).filter(
    isUnsafe,
  )) {
    const target = { method, path: fill(path, 'x') };
    const large = ['{"a":"', 'x'.repeat(2000), '"}'];
    const json = { 'content-type': 'application/json' };
    if (!neverRefuses) {
      const { status } = await sendRaw(service, { ...target, headers: json, chunks: large });
      expect([method, path, status]).toEqual([method, path, 413]);
    }
    for (const type of access === 'public' || anyOrigin ? [] : types) {
      const headers = { cookie, ...(type ? { 'content-type': type } : {}) };
      const content = type ? { chunks: ['{}'] } : {};
      const { status, body } = await sendRaw(service, { ...target, headers, ...content });
      expect([method, path, type, [403, 415].includes(status), body]).toEqual([
        method,
        path,
        type,
        true,
        expect.stringMatching(/"(CSRF_INVALID|UNSUPPORTED_MEDIA_TYPE)"/),
      ]);
    }
  }
});

/** Headers in which a request may claim to have come to, or from, another host. */
const EVIL = {
  host: 'evil.test',
  'x-forwarded-host': 'evil.test',
  'x-original-host': 'evil.test',
  'x-forwarded-proto': 'https',
  forwarded: 'host=evil.test;proto=https',
  referer: 'http://evil.test/',
};

test('F-16, F-30, F-34 CVE-2026-40295, Auth.js -7rqj, GHSA-mwmh, better-auth #10065 class refused: no header decides where a mail, a redirect or a document leads; no answer may be cached, errors and redirects included, and no type is guessed', async () => {
  const { service, flows } = await startWithFlows({ TRUST_PROXY: '1', OPENAPI: 'on' });
  const send = globalThis.fetch;
  const seen: string[] = [];
  const cached: string[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (!String(input).startsWith(service.url)) return send(input, init);
    // Not by `fetch`, which always sends its own Host.
    const { status, body, ...answer } = await sendRaw(service, {
      method: init?.method ?? 'GET',
      path: String(input).slice(service.url.length),
      headers: { ...Object.fromEntries(new Headers(init?.headers)), ...EVIL },
      ...(typeof init?.body === 'string' ? { chunks: [init.body] } : {}),
    });
    const fields = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    );
    seen.push(JSON.stringify(fields), body);
    const headers = new Headers(fields);
    const guarded = `${headers.get('cache-control')} ${headers.get('x-content-type-options')}`;
    const isTyped = body === '' || /; charset=utf-8$/.test(headers.get('content-type') ?? '');
    if (!isTyped || guarded !== 'no-store nosniff')
      cached.push(`${init?.method} ${input}: ${status}`);
    return new Response(body || null, { status, headers });
  });
  for (const flow of flows) await (await atLastStep(service, flow)).send();
  const { accessToken } = await signInAs(service, { role: 'admin' });
  const atRoot = { ...service, prefix: '' };
  const [stranger, admin] = [nativeClient(atRoot), nativeClient(atRoot, accessToken)];
  const routes = routesOf(service).map(({ method, path }) => ({ method, path: fill(path, 'x') }));
  // The last one first, since one of the first signs out.
  for (const { method, path } of routes.reverse()) {
    const body = method === 'GET' ? undefined : {};
    await stranger.send(method, path, body, { accept: 'text/html' });
    await admin.send(method, path, body);
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    await stranger.send('PROPFIND', path);
    await stranger.get(`${path}/nothing`);
  }
  const mails = JSON.stringify(await service.mails());
  expect(mails.length + seen.length).toBeGreaterThan(100);
  expect([mails, ...seen].filter((text) => text.includes('evil.test'))).toEqual([]);
  expect(cached).toEqual([]);
});

test('F-29 CVE-2026-25748 class refused: a malformed cookie is ignored, and never an error', async () => {
  const { service, accessToken } = await startSignedIn();
  const good = `accessToken=${accessToken}`;
  for (const cookie of [
    '',
    ';;;',
    '=',
    'accessToken',
    'accessToken=%',
    'accessToken=%ff%fe',
    'accessToken=\xff\xfe',
    'accessToken="',
    `accessToken=${'x'.repeat(8000)}`,
    `accessToken=x; ${good}`,
    `accessToken=; ${good}`,
    `accesstoken=${accessToken}`,
    `accessToken[]=${accessToken}`,
    `__proto__=${accessToken}`,
    `accessToken=${accessToken}x`,
    `accessToken=j:{"a":1}`,
    `${'a=b; '.repeat(1500)}accessToken=x`,
  ]) {
    for (const path of ['/auth/me', '/auth/sessions']) {
      const { status } = await sendRaw(service, { method: 'GET', path, headers: { cookie } });
      expect([cookie.slice(0, 40), status]).toEqual([cookie.slice(0, 40), 401]);
    }
    const { status } = await sendRaw(service, {
      method: 'POST',
      path: '/auth/refresh',
      headers: { cookie: cookie.replaceAll('accessToken', 'refreshToken') },
    });
    expect([cookie.slice(0, 40), status]).toEqual([cookie.slice(0, 40), 401]);
  }
});
