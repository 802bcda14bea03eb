import { expect, test } from 'vitest';
import { signInAt, startServiceWith } from '../../../test/flows/oauth.js';
import { startGithub } from '../../../test/oauth/counterparts/github.js';

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
