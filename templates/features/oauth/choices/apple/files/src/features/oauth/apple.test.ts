import { expect, test } from 'vitest';
import { browser, type Client } from '../../../test/client.js';
import { APPLE_KEY, startApple } from '../../../test/oauth/counterparts/apple.js';
import {
  begin,
  createAccount,
  signInAt,
  startServiceWith,
} from '../../../test/oauth/sign-in-at.js';
import { startTestService, type TestService } from '../../../test/service.js';

const CALLBACK = '/oauth/apple/callback';

/** As a browser posts Apple's form: from another site, so without its SameSite=Lax cookies. */
async function postForm(service: TestService, form: Record<string, string>) {
  return fetch(`${service.url}${service.prefix}${CALLBACK}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://appleid.apple.com' },
    body: new URLSearchParams(form),
  });
}

/** Goes on to where the answer to the form leads, which the browser does with its cookies. */
function goOn(service: TestService, client: Client, response: Response) {
  const { pathname, search } = new URL(response.headers.get('location') ?? '');
  return client.get(pathname.slice(service.prefix.length) + search);
}

test('a person signs in; the name comes with the form, the first time only', async () => {
  const { service, counterpart } = await startServiceWith(startApple);
  const client = browser(service);
  const url = await counterpart.agree(await begin(client, counterpart));
  const user = JSON.stringify({
    name: { firstName: 'Ada', lastName: 'Lovelace' },
    email: 'ada@example.com',
  });

  const response = await postForm(service, { ...Object.fromEntries(url.searchParams), user });
  const back = await goOn(service, client, response);

  expect([response.status, response.headers.getSetCookie()]).toEqual([302, []]);
  expect(new URL(response.headers.get('location') ?? '').origin).toBe('http://auth.test');
  expect(response.headers.get('location')).not.toContain('ada%40example.com');
  expect(back.headers.get('location')).toBe('http://app.test/');
  expect((await client.get('/me')).body).toMatchObject({
    email: 'ada@example.com',
    isEmailVerified: true,
    metadata: { name: 'Ada Lovelace' },
  });
  const { client: again } = await signInAt(service, counterpart);
  expect((await again.get('/me')).body.metadata).toEqual({ name: 'Ada Lovelace' });
});

test('the longest page to return to fits into the form', async () => {
  const { service, counterpart } = await startServiceWith(startApple);
  const client = browser(service);
  const path = encodeURIComponent(`/${'漢'.repeat(511)}`);
  const url = await counterpart.agree(await begin(client, counterpart, `?return_path=${path}`));

  const response = await postForm(service, Object.fromEntries(url.searchParams));

  const { headers } = await goOn(service, client, response);
  expect(headers.get('location')).toBe(`http://app.test/${encodeURIComponent('漢').repeat(511)}`);
});

test('whoever declines comes back to the login page', async () => {
  const { service, counterpart } = await startServiceWith(startApple);
  const client = browser(service);
  const url = counterpart.decline(await begin(client, counterpart), 'user_cancelled_authorize');

  const response = await postForm(service, Object.fromEntries(url.searchParams));

  const { headers } = await goOn(service, client, response);
  expect(headers.get('location')).toBe('http://app.test/login?error=user_cancelled_authorize');
});

test('attack: the form of a stranger signs nobody in (login CSRF)', async () => {
  const { service, counterpart } = await startServiceWith(startApple);
  const url = await counterpart.agree(await begin(browser(service), counterpart));
  const victim = browser(service);
  await begin(victim, counterpart);

  const response = await postForm(service, Object.fromEntries(url.searchParams));

  const { status, body } = await goOn(service, victim, response);
  expect([status, body.code]).toEqual([400, 'INVALID_OAUTH_STATE']);
  expect(counterpart.exchanges).toEqual([]);
});

test.each(['not JSON', '{}', '{"name":{"firstName":1}}', '[]'])(
  'a user field that says %s harms nothing',
  async (user) => {
    const { service, counterpart } = await startServiceWith(startApple);
    const client = browser(service);
    const url = await counterpart.agree(await begin(client, counterpart));

    const response = await postForm(service, { ...Object.fromEntries(url.searchParams), user });

    const { headers } = await goOn(service, client, response);
    expect(headers.get('location')).toBe('http://app.test/');
  },
);

test('only a form is taken, and only for a provider of this service', async () => {
  const { service } = await startServiceWith(startApple);

  const json = await browser(service).post(CALLBACK, { state: 'x' });
  const stranger = await fetch(`${service.url}/auth/oauth/%0d%0ax/callback`, {
    method: 'POST',
    body: new URLSearchParams({ state: 'x' }),
  });

  expect([json.status, json.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  expect(stranger.status).toBe(404);
});

test('its word on an address links no account, unless OAUTH_APPLE_LINK_BY_EMAIL is on', async () => {
  const byDefault = { OAUTH_APPLE_LINK_BY_EMAIL: '' };
  const { service, counterpart } = await startServiceWith(startApple, byDefault);
  await createAccount(service, 'ada@example.com', true);

  const { page } = await signInAt(service, counterpart);

  expect(page.pathname).toBe('/account-conflict');
});

test('a key on one line is taken; without one the provider is not configured; another text is refused', async () => {
  const { counterpart } = await startServiceWith(startApple);
  const { variables } = counterpart;

  const onOneLine = APPLE_KEY.trim().replaceAll('\n', '\\n');
  const first = await startTestService({ ...variables, OAUTH_APPLE_PRIVATE_KEY: onOneLine });
  expect((await signInAt(first, counterpart)).page.href).toBe('http://app.test/');

  const second = await startTestService({ ...variables, OAUTH_APPLE_PRIVATE_KEY: '' });
  expect((await browser(second).get('/oauth/apple')).body.code).toBe('OAUTH_NOT_CONFIGURED');

  await expect(
    startTestService({ ...variables, OAUTH_APPLE_PRIVATE_KEY: 'secret' }),
  ).rejects.toThrow('OAUTH_APPLE_PRIVATE_KEY must be the EC private key');
});
