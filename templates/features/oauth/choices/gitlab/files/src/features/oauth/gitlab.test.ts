import { expect, test } from 'vitest';
import { startGitlab } from '../../../test/oauth/counterparts/gitlab.js';
import { createAccount, signInAt, startServiceWith } from '../../../test/oauth/sign-in-at.js';

test('a person signs in', async () => {
  const { service, counterpart } = await startServiceWith(startGitlab);

  const { client } = await signInAt(service, counterpart);

  expect((await client.get('/me')).body).toMatchObject({ email: 'ada@example.com' });
  expect((await client.get('/linked-accounts')).body.linkedAccounts).toMatchObject([
    { providerAccountId: '1', name: 'Ada', picture: 'https://gitlab.com/uploads/1.png' },
  ]);
});

test('its word on an address links no account, unless OAUTH_GITLAB_LINK_BY_EMAIL is on', async () => {
  const byDefault = { OAUTH_GITLAB_LINK_BY_EMAIL: '' };
  const { service, counterpart } = await startServiceWith(startGitlab, byDefault);
  await createAccount(service, 'ada@example.com', true);

  const { page } = await signInAt(service, counterpart);

  expect(page.pathname).toBe('/account-conflict');
});
