import { once } from 'node:events';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { inProduction } from './environment.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

test.each(['{', '{"name":}', "{'name':'Ada'}", '{"name":"Ada"} and more', 'undefined', 'NaN'])(
  '%s is not JSON',
  async (text) => {
    const { client } = await signInAs(await startTestService());
    const { status, body } = await client.patch('/profile', text);
    expect([status, body.code]).toEqual([400, 'INVALID_JSON']);
  },
);

test('ten thousand nested arrays break nothing', async () => {
  const { client } = await signInAs(await startTestService());
  const nested = `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  expect((await client.patch('/profile', nested)).status).toBe(400);
});

test.each(['application/json', 'text/plain', undefined])(
  'an empty body of type %s counts as {}',
  async (type) => {
    const { client } = await signInAs(await startTestService());
    const headers: Record<string, string> = type ? { 'content-type': type } : {};
    const { status, body } = await client.send('PATCH', '/profile', undefined, headers);
    expect([status, body]).toEqual([200, { success: true }]);
  },
);

test('a body without a type is refused', async () => {
  const { url } = await startTestService();
  const response = await fetch(`${url}/auth/refresh`, { method: 'POST', body: Buffer.from('{}') });
  expect(response.status).toBe(415);
});

test.each([
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json;charset=UTF-8',
])('a body of type %s is read', async (type) => {
  const { client } = await signInAs(await startTestService());
  const { status } = await client.patch('/profile', { name: 'Ada' }, { 'content-type': type });
  expect(status).toBe(200);
});

test('a body that never says how long it is ends at BODY_LIMIT', async () => {
  const { url } = await startTestService({ BODY_LIMIT: '1kb' });
  const headers = { 'content-type': 'application/json' };
  const sent = request(`${url}/auth/refresh`, { method: 'POST', headers });
  sent.on('error', () => {});
  sent.write(' '.repeat(2000));
  const [response] = await once(sent, 'response');
  expect(response.statusCode).toBe(413);
  sent.destroy();
});

test('HEAD answers like GET, without the body', async () => {
  const service = await startTestService();
  const { accessToken } = await signInAs(service);
  for (const client of [nativeClient(service, accessToken), nativeClient(service)]) {
    const [whole, head] = [await client.get('/me'), await client.send('HEAD', '/me')];
    expect(head.status).toBe(whole.status);
    expect(head.body).toBeUndefined();
    for (const name of ['content-type', 'content-length', 'cache-control']) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    }
  }
});

test('a failure is one sentence and one code, and nothing else', async () => {
  const client = nativeClient(await startTestService());
  const answers = [
    await client.get('/me'),
    await client.get('/nothing'),
    await client.post('/me'),
    await client.patch('/profile', '{'),
  ];
  for (const { status, headers, body } of answers) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      error: expect.stringMatching(/^[A-Z].+\.$/),
      code: expect.stringMatching(/^[A-Z\d]+(_[A-Z\d]+)*$/),
    });
  }
});

test('text outside ASCII arrives as it was sent', async () => {
  const { client } = await signInAs(await startTestService());
  const name = 'Zoë 李 👩‍🚀 \u202e';
  await client.patch('/profile', { name });
  const { body, headers } = await client.get('/me');
  expect(body.metadata.name).toBe(name.trim());
  expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(JSON.stringify(body)));
});

test('RATE_LIMIT=off counts nothing', async () => {
  const client = nativeClient(await startTestService({ RATE_LIMIT: 'off' }));
  const { headers } = await client.get('/me');
  expect(headers.has('ratelimit-limit')).toBe(false);
});

test('a migrated service is alive and ready; neither a probe nor a caller of a webhook gets a cookie', async () => {
  const service = await startTestService();
  for (const path of ['/healthz', '/readyz']) {
    const response = await fetch(service.url + path);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
    expect(response.headers.getSetCookie()).toEqual([]);
  }
  const called = await fetch(`${service.url}/tools/webhook/nobody`, { method: 'POST' });
  expect([called.status, called.headers.getSetCookie()]).toEqual([404, []]);
});

test('an emptied field of a form clears a name', async () => {
  const { client } = await signInAs(await startTestService(), { metadata: { firstName: 'Ada' } });
  const change = { firstName: '', lastName: 'Lovelace', name: '   ' };
  expect((await client.patch('/profile', change)).body).toEqual({ success: true });
  expect((await client.get('/me')).body.metadata).toEqual({ lastName: 'Lovelace' });
});

test.each<[string, unknown]>([
  ['a number', 7],
  ['an object', { first: 'Ada' }],
  ['201 characters', 'x'.repeat(201)],
])('%s is no name', async (_name, name) => {
  const { client } = await signInAs(await startTestService());
  const { status, body } = await client.patch('/profile', { name });
  expect([status, body.code, body.details[0].path]).toEqual([400, 'VALIDATION_FAILED', 'name']);
});

const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all);
const hosts = ['::1', '127.0.0.1'].filter((host) =>
  addresses.some(({ address }) => address === host),
);

test.each([...hosts, 'localhost'])('the URL of HOST=%s can be opened', async (host) => {
  const { url } = await startTestService({ HOST: host });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('outside production and without https no answer demands https (HSTS)', async () => {
  const { DATABASE_URL: _, ...production } = inProduction;
  for (const variables of [
    { ...production, BASE_URL: 'http://localhost:3000' },
    { BASE_URL: 'https://auth.example.com' },
  ]) {
    const { url } = await startTestService(variables);
    for (const path of ['/healthz', '/auth/me', '/nothing']) {
      const { headers } = await fetch(url + path);
      expect(headers.has('strict-transport-security'), path).toBe(false);
    }
  }
});
