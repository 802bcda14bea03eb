import { describe, expect, test } from 'vitest';
import { checkReturnPath } from '../src/features/oauth/state.js';
import { type Answer, browser, nativeClient } from './client.js';
import { begin, comeBack, startAtCallback, startServiceWith } from './flows/oauth.js';
import { counterparts } from './oauth/counterparts.js';
import { startTestService } from './service.js';

const LIFETIME = 10 * 60 * 1000;

const FAILED = 'http://app.test/login?error=OAUTH_FAILED';

function expectRefused({ status, body, setCookies }: Answer): void {
  expect([status, body.code]).toEqual([400, 'INVALID_OAUTH_STATE']);
  expect(setCookies.map(({ name }) => name)).not.toContain('accessToken');
}

describe.each(counterparts)('%s', (_name, start) => {
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
});

const [_one, _another] = counterparts;

test.each(['/', '/a/b?c=d%23e', '/%C3%BC', '/.well-known'])('%s is a path to return to', (path) => {
  expect(checkReturnPath(path)).toBe(path);
});

test('exhaustion: callbacks without a sign-in are limited, so that they fill no webhook', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const client = browser(service);
  const statuses = new Set<number>();
  for (let count = 0; count < 61; count += 1) {
    statuses.add((await client.get('/oauth/nothing/callback')).status);
  }
  expect([...statuses]).toEqual([404, 429]);
});
