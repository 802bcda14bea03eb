import { expect, test } from 'vitest';
import { type Answer, browser, nativeClient } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { signInAs, signInBrowserAs } from '../../test/sign-in-as.js';

const csrfCookies = ({ setCookies }: Answer) =>
  setCookies.filter(({ name }) => name.endsWith('csrf-token'));

test('a page of ours sends the cookie back as a header and may change things', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  expect((await client.patch('/profile', { name: 'Ada' })).status).toBe(200);
});

test.each<[string, Record<string, string>]>([
  ['no header', { 'x-csrf-token': '' }],
  ['a guessed header', { 'x-csrf-token': 'guessed' }],
])(
  'CSRF with %s is refused, and the refusal brings a token that is good',
  async (_name, header) => {
    const { client } = await signInBrowserAs(await startTestService());
    const refused = await client.patch('/profile', { name: 'Eve' }, header);
    expect([refused.status, refused.body.code]).toEqual([403, 'CSRF_INVALID']);
    expect(csrfCookies(refused)).toHaveLength(1);
    expect((await client.patch('/profile', { name: 'Ada' })).status).toBe(200);
    expect((await client.get('/me')).body.metadata.name).toBe('Ada');
  },
);

test('a header without the cookie is refused', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  const token = client.cookies.get('csrf-token') ?? '';
  client.cookies.delete('csrf-token');
  const { body } = await client.patch('/profile', {}, { 'x-csrf-token': token });
  expect(body.code).toBe('CSRF_INVALID');
});

test('a planted pair of equal cookie and header is refused', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  for (const planted of ['x', `${'0'.repeat(64)}.${'0'.repeat(64)}`, '.', 'undefined']) {
    client.cookies.set('csrf-token', planted);
    const answer = await client.patch('/profile', { name: 'Eve' });
    expect([answer.status, answer.body.code]).toEqual([403, 'CSRF_INVALID']);
  }
});

test("the token of the attacker's own session is refused in the victim's", async () => {
  const service = await startTestService();
  const [victim, attacker] = [await signInBrowserAs(service), await signInBrowserAs(service)];
  victim.client.cookies.set('csrf-token', attacker.client.cookies.get('csrf-token') ?? '');
  expect((await victim.client.patch('/profile', {})).body.code).toBe('CSRF_INVALID');
});

test('the token of a browser that is not signed in is refused in a session', async () => {
  const service = await startTestService();
  const anonymous = browser(service);
  await anonymous.get('/me');
  const { client } = await signInBrowserAs(service);
  client.cookies.set('csrf-token', anonymous.cookies.get('csrf-token') ?? '');
  expect((await client.patch('/profile', {})).body.code).toBe('CSRF_INVALID');
});

test('a sibling domain that plants a bare cookie does not get past the vouched-for one', async () => {
  const service = await startTestService({ BASE_URL: 'https://auth.example.com' });
  const { client } = await signInBrowserAs(service);
  client.cookies.set('csrf-token', 'planted');
  const { status } = await client.patch('/profile', {}, { 'x-csrf-token': 'planted' });
  expect(status).toBe(403);
});

test('a browser without the cookie gets it from any answer, and only once', async () => {
  const client = browser(await startTestService());
  const first = await client.get('/me');
  expect(first.status).toBe(401);
  expect(csrfCookies(first)).toEqual([
    { name: 'csrf-token', value: expect.any(String), path: '/', sameSite: 'lax', maxAge: 604_800 },
  ]);
  expect(csrfCookies(await client.get('/me'))).toEqual([]);
  expect(csrfCookies(await browser(await startTestService()).get('/openapi.json'))).toHaveLength(1);
});

test('a signed-in browser that lost the cookie gets one that is good for its session', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  client.cookies.delete('csrf-token');
  expect(csrfCookies(await client.get('/me'))).toHaveLength(1);
  expect((await client.patch('/profile', {})).status).toBe(200);
});

test('a refresh keeps the token, so that other tabs can go on', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  const ofOtherTab = client.cookies.get('csrf-token') ?? '';
  const refreshed = await client.post('/refresh');
  expect(csrfCookies(refreshed).map(({ value }) => value)).toEqual([ofOtherTab]);
  const { status } = await client.patch('/profile', {}, { 'x-csrf-token': ofOtherTab });
  expect(status).toBe(200);
});

test('signing in replaces the token', async () => {
  const service = await startTestService();
  const client = browser(service);
  await client.get('/me');
  const before = client.cookies.get('csrf-token');
  const { refreshToken } = await signInAs(service);
  expect(csrfCookies(await client.post('/refresh', { refreshToken }))).toHaveLength(1);
  expect(client.cookies.get('csrf-token')).not.toBe(before);
  expect((await client.patch('/profile', {})).status).toBe(200);
});

test('a bearer request needs no token and is never handed a cookie', async () => {
  const service = await startTestService();
  const { client, accessToken, refreshToken } = await signInAs(service);
  const onlyAuthorization = { authorization: `Bearer ${accessToken}` };
  const answers = [
    await client.patch('/profile', {}),
    await browser(service).patch('/profile', {}, onlyAuthorization),
    await client.get('/nothing'),
    await nativeClient(service).get('/me'),
    await nativeClient(service).post('/refresh', { refreshToken }),
    await client.post('/logout'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 401, 200, 200]);
  expect(answers.flatMap(({ setCookies }) => setCookies)).toEqual([]);
});

test('CSRF=off checks nothing and sets nothing', async () => {
  const { client } = await signInBrowserAs(await startTestService({ CSRF: 'off' }));
  expect([...client.cookies.keys()]).toEqual(['accessToken', 'refreshToken']);
  expect((await client.patch('/profile', {})).status).toBe(200);
});
