import { describe, expect, test } from 'vitest';
import { browser, nativeClient } from '../../../test/client.js';
import { counterparts } from '../../../test/oauth/counterparts.js';
import {
  begin,
  comeBack,
  signInAt,
  startAtCallback,
  startServiceWith,
} from '../../../test/oauth/sign-in-at.js';

describe.each(counterparts)('%s', (_name, start, verifies) => {
  test('a new person gets an account, a session and the page they came from', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const client = browser(service);
    const location = await begin(client, counterpart, '?return_path=/inbox?tab=2');

    const back = await comeBack(service, client, await counterpart.agree(location));

    expect([back.status, back.headers.get('location')]).toEqual([
      302,
      'http://app.test/inbox?tab=2',
    ]);
    expect((await client.get('/me')).body).toMatchObject({
      email: 'ada@example.com',
      isEmailVerified: verifies,
      loginProvider: counterpart.name,
      role: 'user',
      metadata: { name: 'Ada' },
    });
    expect((await client.get('/linked-accounts')).body.linkedAccounts).toEqual([
      expect.objectContaining({
        provider: counterpart.name,
        providerAccountId: expect.stringMatching(/\b1$/),
        email: 'ada@example.com',
        name: 'Ada',
      }),
    ]);
    const events = (await service.events()).map(({ event, data }) => [event, data]);
    expect(events).toContainEqual(['identity.auth.oauth.success', { provider: counterpart.name }]);
    expect(events).toContainEqual([
      'identity.auth.login.success',
      { method: 'oauth', provider: counterpart.name },
    ]);
  });

  test('the provider is asked with state, PKCE and an address of ours that no header decides', async () => {
    const { service, counterpart } = await startServiceWith(start);

    const { headers, setCookies } = await browser(service).get(`/oauth/${counterpart.name}`, {
      'x-forwarded-host': 'evil.test',
    });

    const query = Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      redirect_uri: `http://auth.test/auth/oauth/${counterpart.name}/callback`,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{200,400}$/),
    });
    expect(setCookies).toContainEqual(
      expect.objectContaining({ name: 'oauth-browser', httpOnly: true, sameSite: 'lax' }),
    );
  });

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

  test('an account is known by its id: the address there may change, the one here does not', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const { client: first } = await signInAt(service, counterpart);
    const { sub } = (await first.get('/me')).body;

    counterpart.person = { id: '1', email: 'new@example.com', isEmailVerified: true };
    const { client } = await signInAt(service, counterpart);

    expect((await client.get('/me')).body).toMatchObject({ sub, email: 'ada@example.com' });
    const { linkedAccounts } = (await client.get('/linked-accounts')).body;
    expect(linkedAccounts).toMatchObject([{ email: 'new@example.com' }]);
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

  test('a disabled account stays closed, and only its owner learns why', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const { client } = await signInAt(service, counterpart);
    const { sub } = (await client.get('/me')).body;
    const { db } = service.services;
    await db.updateTable('users').set({ disabled_at: 1 }).where('id', '=', sub).execute();

    const { page, answer } = await signInAt(service, counterpart);

    expect(page.href).toBe('http://app.test/login?error=ACCOUNT_DISABLED');
    expect(answer.setCookies.map(({ name }) => name)).not.toContain('accessToken');
  });

  test('without its client the provider answers 404, and so does one that does not exist', async () => {
    const { counterpart } = await startServiceWith(start);
    const [, secret = ''] = Object.keys(counterpart.variables);
    const { service } = await startServiceWith(async () => ({
      ...counterpart,
      variables: { ...counterpart.variables, [secret]: '' },
    }));
    const paths = [counterpart.name, 'unknown', 'constructor', '__proto__', '%00'].flatMap(
      (name) => [`/oauth/${name}`, `/oauth/${name}/callback?state=x&code=y`],
    );

    const { body: page } = await nativeClient(service).get('/ui/config');
    expect(page.features[counterpart.name]).toBe(false);
    for (const path of paths) {
      const { status, body } = await nativeClient(service).get(path);
      expect([path, status, body.code]).toEqual([path, 404, 'OAUTH_NOT_CONFIGURED']);
    }
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
  const locations = counterparts.map(async ([, start]) => {
    const { service, counterpart, client, url } = await startAtCallback(start);
    counterpart.delay = 60_000;
    return (await comeBack(service, client, url)).headers.get('location');
  });
  const begun = performance.now();
  expect(new Set(await Promise.all(locations))).toEqual(
    new Set(['http://app.test/login?error=OAUTH_FAILED']),
  );
  expect(performance.now() - begun).toBeLessThan(20_000);
});
