import { describe, expect, test } from 'vitest';
import { type Answer, browser, nativeClient } from '../../../test/client.js';
import { counterparts } from '../../../test/oauth/counterparts.js';
import {
  begin,
  comeBack,
  startAtCallback,
  startServiceWith,
} from '../../../test/oauth/sign-in-at.js';
import { startTestService } from '../../../test/service.js';
import { checkReturnPath } from './state.js';

const LIFETIME = 10 * 60 * 1000;
const FAILED = 'http://app.test/login?error=OAUTH_FAILED';

function expectRefused({ status, body, setCookies }: Answer): void {
  expect([status, body.code]).toEqual([400, 'INVALID_OAUTH_STATE']);
  expect(setCookies.map(({ name }) => name)).not.toContain('accessToken');
}

describe.each(counterparts)('%s', (_name, start) => {
  test("attack: a stranger's sign-in cannot be finished in the victim's browser (login CSRF)", async () => {
    const { service, counterpart, client: stranger, url } = await startAtCallback(start);
    const victim = browser(service);
    await begin(victim, counterpart);

    expectRefused(await comeBack(service, victim, url));
    expectRefused(await comeBack(service, browser(service), url));

    expect(counterpart.exchanges).toEqual([]);
    const own = await comeBack(service, stranger, url);
    expect(own.headers.get('location')).toBe('http://app.test/');
  });

  test("attack: a stolen code with one's own state gets nobody in (code injection, PKCE)", async () => {
    const { service, counterpart, url: stolen } = await startAtCallback(start);
    const thief = browser(service);
    const url = await counterpart.agree(await begin(thief, counterpart));

    url.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    const answer = await comeBack(service, thief, url);

    expect(answer.headers.get('location')).toBe(FAILED);
    expect((await thief.get('/me')).status).toBe(401);
  });

  test('race: of twenty parallel callbacks exactly one exchanges the code', async () => {
    const { service, counterpart, client, url } = await startAtCallback(start);

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => comeBack(service, client, url)),
    );

    expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
    answers.filter(({ status }) => status !== 302).forEach(expectRefused);
    expectRefused(await comeBack(service, client, url));
    expect(counterpart.exchanges).toHaveLength(1);
  });

  test('race: parallel first sign-ins of one person make one account', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const clients = Array.from({ length: 5 }, () => browser(service));
    const journeys = await Promise.all(
      clients.map(async (client) => {
        const url = await counterpart.agree(await begin(client, counterpart));
        return { client, url };
      }),
    );

    await Promise.all(journeys.map(({ client, url }) => comeBack(service, client, url)));

    const profiles = await Promise.all(clients.map((client) => client.get('/me')));
    expect(new Set(profiles.map(({ body }) => body.sub)).size).toBe(1);
    expect(await service.services.users.list({ limit: 9, offset: 0 })).toHaveLength(1);
  });

  test('parallel tabs of one browser do not disturb each other', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const client = browser(service);
    const first = await counterpart.agree(await begin(client, counterpart, '?return_path=/one'));
    const second = await counterpart.agree(await begin(client, counterpart, '?return_path=/two'));

    const answers = [
      await comeBack(service, client, first),
      await comeBack(service, client, second),
    ];

    const pages = answers.map(({ headers }) => headers.get('location'));
    expect(pages).toEqual(['http://app.test/one', 'http://app.test/two']);
  });

  test('a state is good for ten minutes', async () => {
    const { service, counterpart, client, url } = await startAtCallback(start);

    service.advance(LIFETIME + 1000);

    expectRefused(await comeBack(service, client, url));
    expect(counterpart.exchanges).toEqual([]);
  });

  test("attack: an answer in another issuer's name is not exchanged (mix-up)", async () => {
    const { service, counterpart, client, url } = await startAtCallback(start);

    url.searchParams.set('iss', 'https://evil.test');
    const answer = await comeBack(service, client, url);

    expect(answer.headers.get('location')).toBe(FAILED);
    expect(counterpart.exchanges).toEqual([]);
  });

  test('a state that is absent or malformed is refused before anything is exchanged', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const client = browser(service);
    await begin(client, counterpart);

    for (const state of ['', 'made.up.state', 'x'.repeat(9000), '%00%FF']) {
      expectRefused(await client.get(`/oauth/${counterpart.name}/callback?state=${state}&code=x`));
    }
    expectRefused(await client.get(`/oauth/${counterpart.name}/callback`));
    expect(counterpart.exchanges).toEqual([]);
  });

  test('attack: a state that was changed is refused', async () => {
    const { counterpart, client, url } = await startAtCallback(start);
    const state = url.searchParams.get('state') ?? '';
    const query = (text: string) => `callback?${new URLSearchParams({ state: text, code: 'x' })}`;

    for (const at of [0, 20, 100, state.length - 2]) {
      const other = state[at] === 'A' ? 'B' : 'A';
      const changed = state.slice(0, at) + other + state.slice(at + 1);
      expectRefused(await client.get(`/oauth/${counterpart.name}/${query(changed)}`));
    }
    expect(counterpart.exchanges).toEqual([]);
  });

  test('attack: no other token of the service is a state, nor a state an access token', async () => {
    const { service, counterpart, client, url } = await startAtCallback(start);
    await comeBack(service, client, url);
    const accessToken = client.cookies.get('accessToken') ?? '';
    const state = url.searchParams.get('state') ?? '';

    const path = `/oauth/${counterpart.name}/callback?state=${accessToken}&code=x`;
    expectRefused(await client.get(path));
    expect((await nativeClient(service, state).get('/me')).body.code).toBe('INVALID_TOKEN');
  });

  test.each([
    ['no code', (url: URL) => url.searchParams.delete('code')],
    ['two codes', (url: URL) => url.searchParams.append('code', 'another')],
  ])('a callback with %s leads back to the login page', async (_kind, change) => {
    const { service, client, url } = await startAtCallback(start);

    change(url);
    const { headers } = await comeBack(service, client, url);

    expect(headers.get('location')).toBe(FAILED);
  });

  test.each([
    'https://evil.test/',
    '//evil.test',
    '/a//evil.test',
    '/\\evil.test',
    '@evil.test',
    '',
    '/a\r\nSet-Cookie: x=y',
    '/\t/evil.test',
    `/${'x'.repeat(512)}`,
  ])('attack: %j is refused as a path to return to (open redirect)', async (path) => {
    const { service, counterpart } = await startServiceWith(start);

    const { status, body } = await browser(service).get(
      `/oauth/${counterpart.name}?return_path=${encodeURIComponent(path)}`,
    );

    expect([status, body.code]).toEqual([400, 'OAUTH_RETURN_PATH_INVALID']);
  });
});

const [one, another] = counterparts;

test.runIf(another)(
  'attack: the state of one provider is refused at another (mix-up)',
  async () => {
    const [honest, evil] = await Promise.all([one, another].map((each) => each?.[1]()));
    if (!honest || !evil) return;
    const service = await startTestService({ ...honest.variables, ...evil.variables });
    const client = browser(service);
    const url = await honest.agree(await begin(client, honest));

    url.pathname = url.pathname.replace(honest.name, evil.name);

    expectRefused(await comeBack(service, client, url));
    expect([...honest.exchanges, ...evil.exchanges]).toEqual([]);
  },
);

test.each(['/', '/a/b?c=d%23e', '/%C3%BC', '/.well-known'])('%s is a path to return to', (path) => {
  expect(checkReturnPath(path)).toBe(path);
});
