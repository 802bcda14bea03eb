import { describe, expect, test } from 'vitest';
import { browser } from './client.js';
import { begin, comeBack, signInAt, startAtCallback, startServiceWith } from './flows/oauth.js';
import { hurriedTimeouts } from './hurried-timeouts.js';
import { counterparts } from './oauth/counterparts.js';

describe.each(counterparts)('%s', (_name, start, verifies) => {
  test('behind https the cookie is one that no sibling domain can plant', async () => {
    const { service, counterpart } = await startServiceWith(start, {
      BASE_URL: 'https://auth.test',
      COOKIE_SAMESITE: 'strict',
      COOKIE_DOMAIN: 'auth.test',
    });

    const { setCookies } = await browser(service).get(`/oauth/${counterpart.name}`);

    const cookie = setCookies.find(({ name }) => name === '__Host-oauth-browser');
    expect(cookie).toMatchObject({ secure: true, path: '/', sameSite: 'lax' });
    expect(cookie?.domain).toBeUndefined();
  });

  test('with strict cookies, a page of the service goes on, since they do not come along from the provider', async () => {
    const strict = { COOKIE_SAMESITE: 'strict' };
    const { service, client, url } = await startAtCallback(start, strict);
    const path = url.pathname.slice(service.prefix.length);
    const page = await client.get(path + url.search, { accept: 'text/html' });
    const onward = /;url=([^"]+)"/.exec(page.body)?.[1]?.replaceAll('&amp;', '&');
    const { headers } = await client.get(path + onward, { accept: 'text/html' });
    expect([page.status, headers.get('location')]).toEqual([200, 'http://app.test/']);
  });

  test.runIf(verifies)(
    'once the provider has proved the address, it counts here too, and the sign-in goes on',
    async () => {
      const { service, counterpart } = await startServiceWith(start);
      counterpart.person = { id: '1', email: 'ada@example.com', isEmailVerified: false };
      const { client: before } = await signInAt(service, counterpart);
      expect((await before.get('/me')).body.isEmailVerified).toBe(false);

      counterpart.person = { id: '1', email: 'ada@example.com', isEmailVerified: true };
      const { client } = await signInAt(service, counterpart);

      expect((await client.get('/me')).body.isEmailVerified).toBe(true);
      expect((await client.get('/linked-accounts')).body.linkedAccounts).toHaveLength(1);
      expect((await before.get('/me')).body.code).toBe('SESSION_REVOKED');
    },
  );

  test('without an address there is no account', async () => {
    const { service, counterpart } = await startServiceWith(start);
    counterpart.person = { id: '1' };

    const { page, answer } = await signInAt(service, counterpart);

    expect(page.href).toBe('http://app.test/login?error=OAUTH_EMAIL_MISSING');
    expect(answer.setCookies.map(({ name }) => name)).not.toContain('accessToken');
  });

  test('a client that asks for tokens in the body gets cookies here: a redirect has no body', async () => {
    const { service, client, url } = await startAtCallback(start);

    const { body, setCookies } = await client.get(
      url.pathname.slice(service.prefix.length) + url.search,
      { 'x-auth-strategy': 'bearer' },
    );

    expect(body).toBeUndefined();
    expect(setCookies.map(({ name }) => name)).toContain('accessToken');
  });

  test.each([
    ['access_denied', 'access_denied'],
    ['x&next=https://evil.test/#<script>', 'OAUTH_FAILED'],
  ])("the provider's error %s becomes %s at the login page", async (error, code) => {
    const { service, counterpart } = await startServiceWith(start);
    const client = browser(service);
    const location = await begin(client, counterpart);

    const answer = await comeBack(service, client, counterpart.decline(location, error));

    expect(answer.headers.get('location')).toBe(`http://app.test/login?error=${code}`);
    expect(counterpart.exchanges).toEqual([]);
  });

  test('who cancels at the provider still gets to the page that they wanted', async () => {
    const { service, counterpart } = await startServiceWith(start, { APP_URL: '' });
    const client = browser(service);
    const query = `?return_path=${encodeURIComponent('/?return_to=/admin')}`;
    const location = await begin(client, counterpart, query);

    const answer = await comeBack(service, client, counterpart.decline(location, 'access_denied'));

    const page = new URL(answer.headers.get('location') ?? '');
    expect(page.pathname).toBe('/auth/ui/login');
    expect(Object.fromEntries(page.searchParams)).toEqual({
      error: 'access_denied',
      return_to: '/auth/ui/?return_to=/admin',
    });
  });

  test('whoever reloads the callback sees a page with a way back, and no script', async () => {
    const { service, counterpart, client, url } = await startAtCallback(start, {
      APP_URL: "http://app.test/it's",
      SERVICE_NAME: '<script>alert(1)</script>',
    });
    const path = url.pathname.slice(service.prefix.length) + url.search;
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    await client.get(path, { accept });

    const { status, headers, body } = await client.get(path, { accept });

    expect(status).toBe(400);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(body).toContain('was already used. Start again.');
    expect(body).toContain('href="http://app.test/it&#39;s/login?error=INVALID_OAUTH_STATE"');
    expect(body).not.toContain('<script');
    expect(counterpart.exchanges).toHaveLength(1);
    expect((await client.get(path)).body.code).toBe('INVALID_OAUTH_STATE');
  });

  test('HEAD begins nothing and uses nothing up', async () => {
    const { service, counterpart, client, url } = await startAtCallback(start);
    const path = url.pathname.slice(service.prefix.length) + url.search;

    await client.send('HEAD', path);

    expect(counterpart.exchanges).toEqual([]);
    expect((await client.get(path)).headers.get('location')).toBe('http://app.test/');
  });
});

test('a provider that is slow for too long leads back to the login page', async () => {
  const started = await Promise.all(counterparts.map(([, start]) => startAtCallback(start)));
  const timeouts = hurriedTimeouts();
  const locations = started.map(async ({ service, counterpart, client, url }) => {
    counterpart.delay = 60_000;
    return (await comeBack(service, client, url)).headers.get('location');
  });
  expect(new Set(await Promise.all(locations))).toEqual(
    new Set(['http://app.test/login?error=OAUTH_FAILED']),
  );
  expect(new Set(timeouts.mock.calls.flat())).toEqual(new Set([5_000]));
});
