import { expect, test } from 'vitest';
import { readCookies, serializeCookie } from '../src/http/cookies.js';
import { sendRaw } from './client.js';
import { startTestService } from './service.js';
import { signInBrowserAs, startSignedIn } from './sign-in-as.js';
import { startWithPages, visitor } from './visitor.js';

test('attack: no host in a request line decides where a redirect leads', async () => {
  const service = await startWithPages();
  const headers = { accept: 'text/html' };
  const ask = async (path: string) => {
    const { status, headers: said } = await sendRaw(service, { method: 'GET', path, headers });
    return [status, said.location];
  };
  for (const path of [
    '/',
    '/admin',
    '/auth/ui/account',
    '/auth/ui/x/',
    '/auth/ui/reset-password?token=x',
  ]) {
    for (const host of ['http://evil.test', 'HTTPS://evil.test:1']) {
      expect([host + path, await ask(host + path)]).toEqual([host + path, await ask(path)]);
    }
  }
  expect(await ask('http://evil.test?x')).toEqual(await ask('/?x'));
});

test('attack: no other cookies of its name keep a browser from refreshing and signing out', async () => {
  const service = await startTestService();
  for (const planted of ['x', 'a.b.c', 'x'.repeat(90)]) {
    const { client, sessionId } = await signInBrowserAs(service);
    const cookie = [...Array(130).fill(planted), client.cookies.get('refreshToken')]
      .map((value) => `refreshToken=${value}`)
      .join('; ');
    const post = (path: string) => sendRaw(service, { method: 'POST', path, headers: { cookie } });
    expect([planted, (await post('/auth/refresh')).status]).toEqual([planted, 200]);
    await post('/auth/logout');
    expect(await service.services.sessions.find(sessionId)).toBeUndefined();
  }
});

test('a body with GET or HEAD changes nothing, however large', async () => {
  const { service, user, accessToken } = await startSignedIn({ role: 'admin' });
  const headers = { authorization: `Bearer ${accessToken}` };
  for (const method of ['GET', 'HEAD']) {
    const path = `/admin/api/users/${user.id}`;
    const { status } = await sendRaw(service, {
      method,
      path,
      headers,
      chunks: ['x'.repeat(200_000)],
    });
    expect([method, status]).toEqual([method, 200]);
  }
});

test('a cache keeps an asset for each origin: CORS allows only some', async () => {
  const service = await startWithPages();
  const { html } = await visitor(service).open('/auth/ui/login');
  const [path = ''] = /\/auth\/ui\/assets\/[^"]+/.exec(html) ?? [];
  const { headers } = await sendRaw(service, { method: 'GET', path });
  expect(headers.vary?.split(', ').sort()).toEqual(['Accept-Encoding', 'Origin']);
});

test('a cookie is read as it was set, or cannot be set', async () => {
  const { config } = await startTestService();
  const cookie = { name: 'own', maxAge: 1, path: '/', httpOnly: true };
  const read = (value: string) =>
    readCookies(serializeCookie(config, { ...cookie, value }).split(';')[0] ?? '').own;
  for (const value of ['50%', 'a,b', 'a/b:c@d', '%20']) expect(read(value)).toBe(value);
  for (const value of ['a b', 'a;b', 'ü']) expect(() => read(value)).toThrow(TypeError);
});
