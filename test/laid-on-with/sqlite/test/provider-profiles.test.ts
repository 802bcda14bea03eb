import { expect, test } from 'vitest';
import { facebook } from '../src/features/oauth/providers/facebook.js';
import { github } from '../src/features/oauth/providers/github.js';
import { browser } from './client.js';
import { begin, createAccount, signInAt, startServiceWith } from './flows/oauth.js';
import { APPLE_KEY, goOn, postForm, startApple } from './oauth/counterparts/apple.js';
import { startDiscord } from './oauth/counterparts/discord.js';
import { startFacebook } from './oauth/counterparts/facebook.js';
import { startGithub } from './oauth/counterparts/github.js';
import { startGitlab } from './oauth/counterparts/gitlab.js';
import { startMicrosoft, TENANT } from './oauth/counterparts/microsoft.js';
import { startTestService } from './service.js';

test('a person signs in, under the name that others see', async () => {
  const { service, counterpart } = await startServiceWith(startDiscord);
  const location = await begin(browser(service), counterpart);
  expect(new URL(location).searchParams.get('scope')).toBe('identify email');

  const { client } = await signInAt(service, counterpart);

  expect((await client.get('/me')).body).toMatchObject({
    email: 'ada@example.com',
    isEmailVerified: true,
    metadata: { name: 'Ada' },
  });
  expect((await client.get('/linked-accounts')).body.linkedAccounts).toMatchObject([
    {
      providerAccountId: '1',
      picture: 'https://cdn.discordapp.com/avatars/1/a_8342729096ea3675442027381ff50dfe.png',
    },
  ]);
});

test('without a display name it is the user name', async () => {
  const { service, counterpart } = await startServiceWith(startDiscord);
  counterpart.person = { id: '2', email: 'ada@example.com' };

  const { client } = await signInAt(service, counterpart);

  expect((await client.get('/me')).body).toMatchObject({
    isEmailVerified: false,
    metadata: { name: 'login-of-2' },
  });
});

test('a name loses what a database would refuse', async () => {
  const { service, counterpart } = await startServiceWith(startGithub);
  counterpart.person = { id: '3', email: 'ada@example.com', name: 'A\ud800d\0a' };

  const { client } = await signInAt(service, counterpart);

  expect((await client.get('/me')).body.metadata).toEqual({ name: 'A d a' });
});

test('its addresses link no account, unless OAUTH_DISCORD_LINK_BY_EMAIL is on', async () => {
  const byDefault = { OAUTH_DISCORD_LINK_BY_EMAIL: '' };
  const { service, counterpart } = await startServiceWith(startDiscord, byDefault);
  await createAccount(service, 'ada@example.com', true);

  const { page } = await signInAt(service, counterpart);

  expect(page.pathname).toBe('/account-conflict');
});

test('a person signs in; nothing says that the address is verified', async () => {
  const { service, counterpart } = await startServiceWith(startFacebook);

  const { client } = await signInAt(service, counterpart);

  expect((await client.get('/me')).body).toMatchObject({
    email: 'ada@example.com',
    isEmailVerified: false,
    metadata: { name: 'Ada' },
  });
  expect((await client.get('/linked-accounts')).body.linkedAccounts).toMatchObject([
    { providerAccountId: '1', picture: 'https://platform-lookaside.fbsbx.com/1' },
  ]);
});

test("attack: an address at Facebook opens nobody's account", async () => {
  const { service, counterpart } = await startServiceWith(startFacebook);
  await createAccount(service, 'ada@example.com', true);

  const { client, page } = await signInAt(service, counterpart);

  expect(page.pathname).toBe('/account-conflict');
  expect((await client.get('/me')).status).toBe(401);
});

test('people agree on one host, and the API is on another', async () => {
  const { service } = await startServiceWith(startFacebook, { OAUTH_FACEBOOK_URL: '' });
  const url = service.config.OAUTH_FACEBOOK_URL ?? '';

  expect(facebook.server(url)).toEqual({
    issuer: 'https://www.facebook.com',
    authorization_endpoint: 'https://www.facebook.com/v23.0/dialog/oauth',
    token_endpoint: 'https://graph.facebook.com/v23.0/oauth/access_token',
  });
});

test('a person signs in', async () => {
  const { service, counterpart } = await startServiceWith(startGitlab);

  const { client } = await signInAt(service, counterpart);

  expect((await client.get('/me')).body).toMatchObject({ email: 'ada@example.com' });
  expect((await client.get('/linked-accounts')).body.linkedAccounts).toMatchObject([
    { providerAccountId: '1', name: 'Ada', picture: 'https://gitlab.com/uploads/1.png' },
  ]);
});

test('its addresses link no account, unless OAUTH_GITLAB_LINK_BY_EMAIL is on', async () => {
  const byDefault = { OAUTH_GITLAB_LINK_BY_EMAIL: '' };
  const { service, counterpart } = await startServiceWith(startGitlab, byDefault);
  await createAccount(service, 'ada@example.com', true);

  const { page } = await signInAt(service, counterpart);

  expect(page.pathname).toBe('/account-conflict');
});

test('GitHub itself has its API on a host of its own', async () => {
  const { service } = await startServiceWith(startGithub, { OAUTH_GITHUB_URL: '' });
  const url = service.config.OAUTH_GITHUB_URL ?? '';
  const asked: string[] = [];

  await github.identityOf(url, async (from) => {
    asked.push(from);
    return from.endsWith('/user') ? { id: 1, login: 'ada' } : [];
  });

  expect(asked).toEqual(['https://api.github.com/user', 'https://api.github.com/user/emails']);
  expect(github.server(url)).toEqual({
    issuer: 'https://github.com/login/oauth',
    authorization_endpoint: 'https://github.com/login/oauth/authorize',
    token_endpoint: 'https://github.com/login/oauth/access_token',
  });
});

test.each([
  ['a text for an id', [{ id: '1', login: 'ada' }, []]],
  ['no id', [{ login: 'ada' }, []]],
  ['an error in place of the addresses', [{ id: 1, login: 'ada' }, { message: 'Not Found' }]],
])('an answer with %s is refused', async (_kind, [user, emails]) => {
  const reading = github.identityOf('https://github.com', async (from) =>
    from.endsWith('/user') ? user : emails,
  );

  await expect(reading).rejects.toThrow();
});

test('an address that only the user info has is found, and the tenant stays', async () => {
  const { service, counterpart } = await startServiceWith(startMicrosoft);
  counterpart.faults.claims = { email: undefined };

  const { client } = await signInAt(service, counterpart);

  expect((await client.get('/linked-accounts')).body.linkedAccounts).toMatchObject([
    { providerAccountId: `${TENANT}.1`, email: 'ada@example.com' },
  ]);
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

test('only a form is taken, and only for a provider of this service', async () => {
  const { service } = await startServiceWith(startApple);

  const json = await browser(service).post('/oauth/apple/callback', { state: 'x' });
  const stranger = await fetch(`${service.url}/auth/oauth/%0d%0ax/callback`, {
    method: 'POST',
    body: new URLSearchParams({ state: 'x' }),
  });

  expect([json.status, json.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  expect(stranger.status).toBe(404);
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

test.each(['not JSON', '{}', '{"name":{"firstName":1}}', '[]'])(
  'a user field with %s does no harm',
  async (user) => {
    const { service, counterpart } = await startServiceWith(startApple);
    const client = browser(service);
    const url = await counterpart.agree(await begin(client, counterpart));

    const response = await postForm(service, { ...Object.fromEntries(url.searchParams), user });

    const { headers } = await goOn(service, client, response);
    expect(headers.get('location')).toBe('http://app.test/');
  },
);

test('the address is the verified primary one, not the one that the profile shows', async () => {
  const { service, counterpart } = await startServiceWith(startGithub);
  counterpart.person = { id: '1', email: 'ada@example.com', isEmailVerified: true };

  const { client } = await signInAt(service, counterpart);

  expect((await client.get('/me')).body).toMatchObject({
    email: 'ada@example.com',
    isEmailVerified: true,
    // Without a name there, the login is used.
    metadata: { name: 'login-of-1' },
  });
  const { linkedAccounts } = (await client.get('/linked-accounts')).body;
  expect(linkedAccounts).toMatchObject([{ picture: 'https://avatars.example.com/1' }]);
});

test('without a primary address, another verified one is not used', async () => {
  const { service, counterpart } = await startServiceWith(startGithub);
  counterpart.person = { id: '1' };

  const { page } = await signInAt(service, counterpart);

  expect(page.href).toBe('http://app.test/login?error=OAUTH_EMAIL_MISSING');
});
