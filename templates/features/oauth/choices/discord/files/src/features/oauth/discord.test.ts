import { expect, test } from 'vitest';
import { browser } from '../../../test/client.js';
import { startDiscord } from '../../../test/oauth/counterparts/discord.js';
import {
  begin,
  createAccount,
  signInAt,
  startServiceWith,
} from '../../../test/oauth/sign-in-at.js';

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

test('its word on an address links no account, unless OAUTH_DISCORD_LINK_BY_EMAIL is on', async () => {
  const byDefault = { OAUTH_DISCORD_LINK_BY_EMAIL: '' };
  const { service, counterpart } = await startServiceWith(startDiscord, byDefault);
  await createAccount(service, 'ada@example.com', true);

  const { page } = await signInAt(service, counterpart);

  expect(page.pathname).toBe('/account-conflict');
});
