import { expect, test } from 'vitest';
import { startGithub } from '../../../test/oauth/counterparts/github.js';
import { signInAt, startServiceWith } from '../../../test/oauth/sign-in-at.js';
import { github } from './providers/github.js';

test('the address is the verified primary one, not the one that the profile shows', async () => {
  const { service, counterpart } = await startServiceWith(startGithub);
  counterpart.person = { id: '1', email: 'ada@example.com', isEmailVerified: true };

  const { client } = await signInAt(service, counterpart);

  expect((await client.get('/me')).body).toMatchObject({
    email: 'ada@example.com',
    isEmailVerified: true,
    // Who gives no name there is called by their login.
    metadata: { name: 'login-of-1' },
  });
  const { linkedAccounts } = (await client.get('/linked-accounts')).body;
  expect(linkedAccounts).toMatchObject([{ picture: 'https://avatars.example.com/1' }]);
});

test('without a primary address, a verified other one does not stand in', async () => {
  const { service, counterpart } = await startServiceWith(startGithub);
  counterpart.person = { id: '1' };

  const { page } = await signInAt(service, counterpart);

  expect(page.href).toBe('http://app.test/login?error=OAUTH_EMAIL_MISSING');
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
