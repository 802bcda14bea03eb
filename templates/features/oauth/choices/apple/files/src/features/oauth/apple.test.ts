import { expect, test } from 'vitest';
import { browser } from '../../../test/client.js';
import { begin, createAccount, signInAt, startServiceWith } from '../../../test/flows/oauth.js';
import { goOn, postForm, startApple } from '../../../test/oauth/counterparts/apple.js';

test('a user signs in; the name comes with the form, the first time only', async () => {
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
  const { body } = await again.get('/linked-accounts');
  expect(body.linkedAccounts).toMatchObject([{ name: 'Ada Lovelace' }]);
});

test('attack: the form of another browser does not sign in (login CSRF)', async () => {
  const { service, counterpart } = await startServiceWith(startApple);
  const url = await counterpart.agree(await begin(browser(service), counterpart));
  const victim = browser(service);
  await begin(victim, counterpart);

  const response = await postForm(service, Object.fromEntries(url.searchParams));

  const { status, body } = await goOn(service, victim, response);
  expect([status, body.code]).toEqual([400, 'INVALID_OAUTH_STATE']);
  expect(counterpart.exchanges).toEqual([]);
});

test('its addresses link no account, unless OAUTH_APPLE_LINK_BY_EMAIL is on', async () => {
  const byDefault = { OAUTH_APPLE_LINK_BY_EMAIL: '' };
  const { service, counterpart } = await startServiceWith(startApple, byDefault);
  await createAccount(service, 'ada@example.com', true);

  const { page } = await signInAt(service, counterpart);

  expect(page.pathname).toBe('/account-conflict');
});

test('a user who declines returns to the login page', async () => {
  const { service, counterpart } = await startServiceWith(startApple);
  const client = browser(service);
  const url = counterpart.decline(await begin(client, counterpart), 'user_cancelled_authorize');

  const response = await postForm(service, Object.fromEntries(url.searchParams));

  const { headers } = await goOn(service, client, response);
  expect(headers.get('location')).toBe('http://app.test/login?error=user_cancelled_authorize');
});
