import { describe, expect, test } from 'vitest';
import { type Answer, browser, nativeClient } from '../../../test/client.js';
import { counterparts } from '../../../test/oauth/counterparts.js';
import { begin, comeBack, startServiceWith } from '../../../test/oauth/sign-in-at.js';

const LIFETIME = 10 * 60 * 1000;

function expectRefused({ status, body, setCookies }: Answer): void {
  expect([status, body.code]).toEqual([400, 'INVALID_OAUTH_STATE']);
  expect(setCookies.map(({ name }) => name)).not.toContain('accessToken');
}

describe.each(counterparts)('%s', (_name, start) => {
  test("login CSRF: a stranger's sign-in cannot be finished in the victim's browser", async () => {
    const { service, counterpart } = await startServiceWith(start);
    const stranger = browser(service);
    const url = await counterpart.agree(await begin(stranger, counterpart));
    const victim = browser(service);
    await begin(victim, counterpart);

    expectRefused(await comeBack(service, victim, url));
    expectRefused(await comeBack(service, browser(service), url));

    expect(counterpart.exchanges).toEqual([]);
    const own = await comeBack(service, stranger, url);
    expect(own.headers.get('location')).toBe('http://app.test/');
  });

  test("code injection: a stolen code with one's own state gets nobody in", async () => {
    const { service, counterpart } = await startServiceWith(start);
    const victim = browser(service);
    const stolen = await counterpart.agree(await begin(victim, counterpart));
    const thief = browser(service);
    const url = await counterpart.agree(await begin(thief, counterpart));

    url.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    const answer = await comeBack(service, thief, url);

    // PKCE: the code was given out for the victim's verifier.
    expect(answer.headers.get('location')).toBe('http://app.test/login?error=OAUTH_FAILED');
    expect((await thief.get('/me')).status).toBe(401);
  });

  test('replay: a state works once', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const client = browser(service);
    const url = await counterpart.agree(await begin(client, counterpart));

    expect((await comeBack(service, client, url)).status).toBe(302);
    expectRefused(await comeBack(service, client, url));

    expect(counterpart.exchanges).toHaveLength(1);
  });

  test('race: of twenty parallel callbacks exactly one exchanges the code', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const client = browser(service);
    const url = await counterpart.agree(await begin(client, counterpart));

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => comeBack(service, client, url)),
    );

    expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
    answers.filter(({ status }) => status !== 302).forEach(expectRefused);
    expect(counterpart.exchanges).toHaveLength(1);
  });

  test('race: parallel first sign-ins of one person make one account', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const clients = Array.from({ length: 5 }, () => browser(service));
    const urls = await Promise.all(
      clients.map(async (client) => counterpart.agree(await begin(client, counterpart))),
    );

    await Promise.all(
      clients.map((client, nth) => comeBack(service, client, urls[nth] ?? new URL('about:blank'))),
    );

    const profiles = await Promise.all(clients.map((client) => client.get('/me')));
    expect(new Set(profiles.map(({ body }) => body.sub)).size).toBe(1);
    expect(await service.services.users.list({ limit: 9, offset: 0 })).toHaveLength(1);
  });

  test('parallel tabs of one browser do not disturb each other', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const client = browser(service);
    const first = await counterpart.agree(await begin(client, counterpart, '?return_path=/one'));
    const second = await counterpart.agree(await begin(client, counterpart, '?return_path=/two'));

    for (const [url, page] of [
      [first, '/one'],
      [second, '/two'],
    ] as const) {
      const { headers } = await comeBack(service, client, url);
      expect(headers.get('location')).toBe(`http://app.test${page}`);
    }
  });

  test('a state is good for ten minutes', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const client = browser(service);
    const url = await counterpart.agree(await begin(client, counterpart));

    service.advance(LIFETIME + 1000);

    expectRefused(await comeBack(service, client, url));
    expect(counterpart.exchanges).toEqual([]);
  });

  test("mix-up: an answer in another issuer's name is not exchanged", async () => {
    const { service, counterpart } = await startServiceWith(start);
    const client = browser(service);
    const url = await counterpart.agree(await begin(client, counterpart));

    url.searchParams.set('iss', 'https://evil.test');
    const answer = await comeBack(service, client, url);

    expect(answer.headers.get('location')).toBe('http://app.test/login?error=OAUTH_FAILED');
    expect(counterpart.exchanges).toEqual([]);
  });

  test.each([
    ['absent', ''],
    ['empty', '?state=&code=x'],
    ['made up', '?state=made.up.state&code=x'],
    ['huge', `?state=${'x'.repeat(9000)}&code=x`],
    ['not a text of ours', '?state=%00%FF&code=x'],
  ])('a state that is %s is refused before anything is exchanged', async (_kind, query) => {
    const { service, counterpart } = await startServiceWith(start);
    const client = browser(service);
    await begin(client, counterpart);

    expectRefused(await client.get(`/oauth/${counterpart.name}/callback${query}`));

    expect(counterpart.exchanges).toEqual([]);
  });

  test('token type confusion: no other token of the service is a state', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const client = browser(service);
    const url = await counterpart.agree(await begin(client, counterpart));
    await comeBack(service, client, url);
    const accessToken = client.cookies.get('accessToken') ?? '';
    const state = url.searchParams.get('state') ?? '';

    expectRefused(
      await client.get(`/oauth/${counterpart.name}/callback?state=${accessToken}&code=x`),
    );
    expect((await nativeClient(service, state).get('/me')).body.code).toBe('INVALID_TOKEN');
  });

  test('a callback without a code, or with two, leads back to the login page', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const client = browser(service);

    for (const change of [
      (url: URL) => url.searchParams.delete('code'),
      (url: URL) => url.searchParams.append('code', 'another'),
    ]) {
      const url = await counterpart.agree(await begin(client, counterpart));
      change(url);
      const { headers } = await comeBack(service, client, url);
      expect(headers.get('location')).toBe('http://app.test/login?error=OAUTH_FAILED');
    }
  });

  test.each(['return_path=/', 'return_path=/a/b?c=d%23e', 'return_path=/%C3%BC', ''])(
    'a path of the app is taken: %s',
    async (query) => {
      const { service, counterpart } = await startServiceWith(start);
      const client = browser(service);

      const url = await counterpart.agree(await begin(client, counterpart, `?${query}`));
      const { headers } = await comeBack(service, client, url);

      expect(new URL(headers.get('location') ?? '').origin).toBe('http://app.test');
    },
  );
});

test.each([
  ['another host', 'https://evil.test/'],
  ['another host without a scheme', '//evil.test'],
  ['two slashes further on', '/a//evil.test'],
  ['a backslash', '/\\evil.test'],
  ['a user in front', '@evil.test'],
  ['nothing', ''],
  ['a line break', '/a\r\nSet-Cookie: x=y'],
  ['a tab, which browsers drop', '/\t/evil.test'],
  ['a control character of the second kind', '/\u0085'],
  ['NUL', '/\0'],
  ['a script', 'javascript:alert(1)'],
  ['too long a path', `/${'x'.repeat(512)}`],
])('open redirect: %s is no path to return to', async (_kind, path) => {
  for (const [, start] of counterparts.slice(0, 1)) {
    const { service, counterpart } = await startServiceWith(start);

    const { status, body } = await browser(service).get(
      `/oauth/${counterpart.name}?return_path=${encodeURIComponent(path)}`,
    );

    expect([status, body.code]).toEqual([400, 'OAUTH_RETURN_PATH_INVALID']);
  }
});
