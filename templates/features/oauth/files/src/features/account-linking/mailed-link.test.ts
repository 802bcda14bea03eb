import { expect, test } from 'vitest';
import { browser } from '../../../test/client.js';
import { accountAt, EMAIL, linksOf, linkTokenTo, meetConflict } from '../../../test/flows/link.js';
import { startTestService } from '../../../test/service.js';
import { signInAs, signInBrowserAs, startSignedIn } from '../../../test/sign-in-as.js';

const OTHER = 'ada@home.example';

test('a signed-in user adds an address by the link mailed to it', async () => {
  const { service, client } = await startSignedIn({ email: EMAIL });

  const asked = await client.post('/link-request', { email: OTHER });
  expect(await linksOf(client)).toEqual([]);
  const done = await client.post('/link-verify', { token: await linkTokenTo(service, OTHER) });

  expect([asked.status, asked.body]).toEqual([200, { success: true }]);
  expect([done.status, done.body]).toEqual([200, { success: true }]);
  expect((await client.get('/linked-accounts')).body.linkedAccounts).toEqual([
    {
      provider: 'email',
      providerAccountId: OTHER,
      email: OTHER,
      name: null,
      picture: null,
      linkedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
  ]);
  expect((await service.mails()).map(({ to, name }) => [to, name])).toEqual([
    [OTHER, 'linkRequest'],
    [EMAIL, 'accountLinked'],
  ]);
  for (const { text } of await service.mails()) expect(text).toContain(OTHER);
});

test('the mail names the account, and the link adds it and signs in if asked to', async () => {
  const { service, user } = await startSignedIn({ email: EMAIL });
  await meetConflict(service);
  const client = browser(service);
  await client.post('/link-request', { email: EMAIL, provider: 'acme' });
  expect((await service.mails()).at(-1)?.text).toContain('acme');

  const token = await linkTokenTo(service, EMAIL);
  const { status, body } = await client.post('/link-verify', { token, loginAfterLinking: true });

  expect([status, body]).toEqual([200, { success: true }]);
  expect((await client.get('/me')).body.sub).toBe(user.id);
  expect(await linksOf(client)).toEqual([['acme', '1']]);
  const success = (await service.events()).find(
    ({ event }) => event === 'identity.auth.login.success',
  );
  expect(success?.data).toMatchObject({ provider: 'acme' });
});

test('attack: a stranger who created an unproven account is signed out once its owner links theirs', async () => {
  const service = await startTestService();
  const { services } = service;
  const unproven = { email: EMAIL, isEmailProven: false };
  const { client: squatter, user } = await signInAs(service, unproven);
  await services.accountLinking.add(user.id, accountAt('acme', 'of the squatter'));
  await meetConflict(service);
  const owner = browser(service);
  await owner.post('/link-request', { email: EMAIL, provider: 'acme' });

  const token = await linkTokenTo(service, EMAIL);
  await owner.post('/link-verify', { token, loginAfterLinking: true });

  expect((await squatter.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect(await linksOf(owner)).toEqual([['acme', '1']]);
  expect((await owner.get('/me')).body.isEmailVerified).toBe(true);
});

test('a link is removed, its owner is notified, and an event is emitted', async () => {
  const { service, client, user } = await startSignedIn({ email: EMAIL });
  const { accountLinking } = service.services;
  await accountLinking.add(user.id, accountAt('acme', '1'));
  await accountLinking.add(user.id, accountAt('acme', 'auth0|2 %/ü'));

  const path = `/linked-accounts/acme/${encodeURIComponent('auth0|2 %/ü')}`;
  const { status, body } = await client.delete(path);

  expect([status, body]).toEqual([200, { success: true }]);
  expect(await linksOf(client)).toEqual([['acme', '1']]);
  expect((await service.mails()).map(({ name }) => name)).toEqual(['accountUnlinked']);
  expect(await service.events()).toContainEqual(
    expect.objectContaining({
      event: 'identity.user.unlinked',
      data: { provider: 'acme', providerAccountId: 'auth0|2 %/ü' },
    }),
  );
});

test('attack: another site cannot ask for a link in a signed-in browser', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  const forged = { 'x-csrf-token': 'guessed' };

  const { status, body } = await client.post('/link-request', { email: OTHER }, forged);

  expect([status, body.code]).toEqual([403, 'CSRF_INVALID']);
});

test('attack: a stolen old session neither adds nor removes a link, which takes a recent sign-in', async () => {
  const { service, client, user } = await startSignedIn(
    { email: EMAIL },
    { ACCESS_TOKEN_TTL: '1h' },
  );
  await service.services.accountLinking.add(user.id, accountAt('acme', '1'));
  service.advance(16 * 60 * 1000);

  const answers = [
    await client.post('/link-request', { email: OTHER }),
    await client.delete('/linked-accounts/acme/1'),
  ];

  for (const { status, body } of answers) {
    expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  }
});
