import { expect, test } from 'vitest';
import { startFacebook } from '../../../test/oauth/counterparts/facebook.js';
import { createAccount, signInAt, startServiceWith } from '../../../test/oauth/sign-in-at.js';
import { facebook } from './providers/facebook.js';

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
