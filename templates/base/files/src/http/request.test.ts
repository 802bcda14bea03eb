import { expect, test } from 'vitest';
import { nativeClient, sendRaw } from '../../test/client.js';
import { inProduction } from '../../test/environment.js';
import { openLog, startTestService } from '../../test/service.js';
import { signInAs, startSignedIn } from '../../test/sign-in-as.js';
import { session } from '../session/feature.js';
import { httpLimits } from './limits.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const { points } = httpLimits.perIp;
const { points: refreshes, seconds } = session.limits.refreshOfSession;

test('every answer has a request id of its own, which a caller cannot choose', async () => {
  const { client } = await startSignedIn();
  const chosen = { 'x-request-id': 'chosen-by-the-caller' };
  const answers = [
    await client.get('/me', chosen),
    await client.get('/nothing', chosen),
    await client.post('/me', {}, chosen),
    await client.post('/refresh', '{', chosen),
    await client.send('OPTIONS', '/me', undefined, chosen),
    await client.send('HEAD', '/me', undefined, chosen),
    await client.delete('/sessions/%zz', undefined, chosen),
  ];
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  for (const id of ids) expect(id).toMatch(UUID);
  expect(new Set(ids).size).toBe(answers.length);
});

test('every answer forbids referrers, and in production demands https (HSTS)', async () => {
  const { DATABASE_URL: _, ...production } = inProduction;
  const json = { 'content-type': 'application/json' };
  const service = await startTestService({ ...production, BODY_LIMIT: '1kb' });
  const [method, path] = ['POST', '/auth/refresh'];
  const answers = [
    await sendRaw(service, { method: 'GET', path: '/healthz' }),
    await sendRaw(service, { method: 'HEAD', path: '/healthz' }),
    await sendRaw(service, { method, path, headers: json, chunks: ['{'] }),
    await sendRaw(service, { method: 'GET', path: '/auth/me' }),
    await sendRaw(service, { method, path, headers: { origin: 'http://evil.test' } }),
    await sendRaw(service, { method: 'GET', path: '/nothing' }),
    await sendRaw(service, { method: 'GET', path: '/auth/%zz' }),
    await sendRaw(service, { method: 'TRACE', path: '/auth/me' }),
    await sendRaw(service, { method, path, headers: json, chunks: ['x'.repeat(2000)] }),
    await sendRaw(service, { method, path, headers: { 'content-type': 'x/y' }, chunks: ['{}'] }),
  ];
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 400, 401, 403, 404, 404, 405, 413, 415]);
  for (const { status, headers } of answers) {
    const said = [headers['strict-transport-security'], headers['referrer-policy']];
    expect([status, ...said]).toEqual([status, 'max-age=31536000', 'no-referrer']);
  }
});

test('an unknown path, or another spelling of a known one, is 404', async () => {
  const client = nativeClient({ ...(await startTestService()), prefix: '' });
  for (const path of [
    '/me',
    '/auth',
    '/auth/',
    '/auth/nothing',
    '/auth/me/',
    '/AUTH/ME',
    '/auth/%256de',
    '/auth/me/more',
    '/auth/sessions/a/b',
    '/auth/me%2f',
    '/auth/sessions/',
    '/.env',
  ]) {
    const { status, body } = await client.get(path);
    const nothing = { error: expect.any(String), code: 'NOT_FOUND' };
    expect([path, status, body]).toEqual([path, 404, nothing]);
  }
});

test('any other text in a path parameter is an unknown handle', async () => {
  const { client } = await signInAs(await startTestService());
  for (const handle of [
    '%00',
    '%0d%0aX-Injected:%20yes',
    "'%20or%20'1'='1",
    '..%2f..%2fetc%2fpasswd',
    '%F0%9F%94%91',
    'x'.repeat(4000),
    '__proto__',
  ]) {
    const { status, body, headers } = await client.delete(`/sessions/${handle}`);
    expect([handle, status, body.code]).toEqual([handle, 404, 'SESSION_NOT_FOUND']);
    expect(headers.has('x-injected')).toBe(false);
  }
});

test('a method that the path does not have is 405; Allow names those it has', async () => {
  const client = nativeClient(await startTestService());
  for (const [method, path, allow] of [
    ['POST', '/me', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/profile', 'OPTIONS, PATCH'],
    ['GET', '/refresh', 'OPTIONS, POST'],
    ['HEAD', '/refresh', 'OPTIONS, POST'],
    ['PUT', '/sessions/cleanup', 'OPTIONS, POST'],
    ['PROPFIND', '/sessions', 'DELETE, GET, HEAD, OPTIONS'],
  ] as const) {
    const { status, body, headers } = await client.send(method, path);
    const allowed = headers.get('allow')?.split(', ').sort().join(', ');
    expect([method, path, status, allowed]).toEqual([method, path, 405, allow]);
    if (method !== 'HEAD') expect(body.code).toBe('METHOD_NOT_ALLOWED');
  }
});

test('AUTH_PREFIX moves every route', async () => {
  const service = await startTestService({ AUTH_PREFIX: '/api/identity' });
  expect(service.prefix).toBe('/api/identity');
  const { client } = await signInAs(service);
  expect((await client.get('/me')).status).toBe(200);
  expect((await fetch(`${service.url}/auth/me`)).status).toBe(404);
});

test('a defect is answered with 500 INTERNAL, and only the log has its details', async () => {
  const { log, lines } = openLog();
  const { service, client } = await startSignedIn({}, {}, { log });
  await service.services.db.schema.dropTable('sessions').execute();
  const { status, headers, body } = await client.get('/me');
  expect(status).toBe(500);
  expect(body).toEqual({ error: 'Something went wrong on our side.', code: 'INTERNAL' });

  const entry = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request failed');
  expect(entry.requestId).toBe(headers.get('x-request-id'));
  expect(entry).toMatchObject({ method: 'GET', path: '/auth/me' });
  expect(entry.err.stack).toContain('sessions');
});

test('no answer reveals internals', async () => {
  const { service, client } = await startSignedIn();
  await service.services.db.schema.dropTable('sessions').execute();
  const answers = [
    await client.get('/me'),
    await client.get('/sessions'),
    await client.delete("/sessions/'"),
    await client.patch('/profile', '{"name":'),
    await client.delete('/sessions/%zz'),
  ];
  for (const { body, headers } of answers) {
    const whole = JSON.stringify([body, ...headers]);
    expect(whole).not.toMatch(/select |delete from|table|relation|node_modules|\bat \w+ \(/i);
    expect(headers.has('x-powered-by')).toBe(false);
  }
});

test('at LOG_LEVEL=debug a request is one line, without the values of its path and query', async () => {
  const { log, lines } = openLog('debug');
  const { client } = await startSignedIn({}, {}, { log });
  const { headers } = await client.delete('/sessions/sesame?token=sesame');
  await client.send('PUT', '/me?token=sesame');
  await client.get('/sesame?token=sesame');
  const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(requests.map(({ method, path, status }) => [method, path, status])).toEqual([
    ['DELETE', '/auth/sessions/:handle', 404],
    ['PUT', '/auth/me', 405],
    ['GET', undefined, 404],
  ]);
  const requestId = headers.get('x-request-id');
  expect(requests[0]).toMatchObject({ requestId, ms: expect.any(Number) });
  expect(lines.join()).not.toContain('sesame');
});

test('every response says how much of the limit is left', async () => {
  const client = nativeClient(await startTestService({ RATE_LIMIT: 'on' }));
  const [first, second] = [await client.get('/me'), await client.get('/me')];
  expect(first.headers.get('ratelimit-limit')).toBe(String(points));
  expect(first.headers.get('ratelimit-remaining')).toBe(String(points - 1));
  expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
  expect(second.headers.get('ratelimit-remaining')).toBe(String(points - 2));
});

test('a refresh past the limit of its session is refused, with the time to wait', async () => {
  const { service, client, refreshToken } = await startSignedIn({}, { RATE_LIMIT: 'on' });
  service.stopClock();
  const statuses: number[] = [];
  for (let count = 0; count < refreshes; count++)
    statuses.push((await client.post('/refresh', { refreshToken })).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const { status, headers, body } = await client.post('/refresh', { refreshToken });
  expect(status).toBe(429);
  expect(body).toEqual({ error: expect.any(String), code: 'RATE_LIMITED', success: false });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(seconds);
  expect(headers.get('ratelimit-limit')).toBe(String(refreshes));
  expect(headers.get('ratelimit-remaining')).toBe('0');
});

test('JSON that is not an object is refused', async () => {
  const { client } = await signInAs(await startTestService(), { role: 'admin' });
  for (const text of ['[]', '[{"name":"Ada"}]', 'null', 'true', '1', '"Ada"']) {
    const change = await client.patch('/profile', text);
    const withoutFields = await client.post('/sessions/cleanup', text);
    for (const { status, body } of [change, withoutFields]) {
      expect([text, status, body.code]).toEqual([text, 400, 'VALIDATION_FAILED']);
    }
  }
});

test('a wrong field is named', async () => {
  const { client } = await signInAs(await startTestService());
  const { status, body } = await client.patch('/profile', { name: 'Ada', firstName: 7 });
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(body.details).toEqual([{ path: 'firstName', message: expect.any(String) }]);
});

test('unknown fields are ignored', async () => {
  const { client, refreshToken } = await signInAs(await startTestService());
  expect((await client.post('/refresh', { refreshToken, shoeSize: 38 })).status).toBe(200);
});

test('a body of another type is refused: a form of another site could send it', async () => {
  const client = nativeClient(await startTestService());
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
  ]) {
    const { status, body } = await client.post('/refresh', '{}', { 'content-type': type });
    expect([type, status, body.code]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE']);
  }
});

test('a body of BODY_LIMIT bytes is accepted, and one byte more is refused', async () => {
  const { client } = await startSignedIn({ role: 'admin' }, { BODY_LIMIT: '1kb' });
  const bodyOf = (length: number) => `{"x":"${'x'.repeat(length - '{"x":""}'.length)}"}`;
  expect((await client.post('/sessions/cleanup', bodyOf(1024))).status).toBe(200);
  const { status, body } = await client.post('/sessions/cleanup', bodyOf(1025));
  expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE']);
});
