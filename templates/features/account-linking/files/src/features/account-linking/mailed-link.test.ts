import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../../test/client.js';
import { accountAt, EMAIL, linksOf, linkTokenTo, meetConflict } from '../../../test/linking.js';
import { startTestService } from '../../../test/service.js';
import { signInAs, signInBrowserAs } from '../../../test/sign-in-as.js';
import { now } from '../../process/clock.js';

const OTHER = 'ada@home.example';
const HOUR = 60 * 60 * 1000;
const invalidLink = { error: 'This link is no longer valid.', code: 'INVALID_LINK_TOKEN' };

test('a signed-in person adds an address by the link that is mailed to it', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });

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

test('with neither a session nor a conflict the answer is the same for every address', async () => {
  const service = await startTestService();
  await signInAs(service, { email: EMAIL });

  for (const body of [
    { email: EMAIL },
    { email: EMAIL, provider: 'acme' },
    { email: 'nobody@example.com', provider: 'acme' },
  ]) {
    const { status, body: answer } = await nativeClient(service).post('/link-request', body);
    expect([status, answer]).toEqual([
      401,
      { error: 'Sign in to continue.', code: 'INVALID_TOKEN' },
    ]);
  }
  expect(await service.mails()).toEqual([]);
});

test('a conflict is the authority for its address and its provider, and for no other', async () => {
  const service = await startTestService();
  await signInAs(service, { email: EMAIL });
  await meetConflict(service);
  const client = nativeClient(service);

  const right = await client.post('/link-request', { email: ' ADA@example.com', provider: 'acme' });
  const otherProvider = await client.post('/link-request', { email: EMAIL, provider: 'other' });
  const otherAddress = await client.post('/link-request', { email: OTHER, provider: 'acme' });

  expect([right.status, otherProvider.status, otherAddress.status]).toEqual([200, 401, 401]);
  expect((await service.mails()).map(({ to }) => to)).toEqual([EMAIL]);
});

test('the mail names the account, and the link lets it in and signs in if asked to', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service, { email: EMAIL });
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

test('what the provider account is was decided when the link was mailed', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });
  await meetConflict(service, '1');
  await nativeClient(service).post('/link-request', { email: EMAIL, provider: 'acme' });
  const token = await linkTokenTo(service, EMAIL);

  await service.services.accountLinking.closePending(accountAt('acme', '1'));
  await meetConflict(service, '666');
  await client.post('/link-verify', { token });

  expect((await service.services.accountLinking.find('acme', '1'))?.userId).toBeDefined();
  expect(await service.services.accountLinking.find('acme', '666')).toBeUndefined();
});

test('attack: neither a name nor an id at a provider gets into the mail', async () => {
  const service = await startTestService();
  await signInAs(service, { email: EMAIL });
  const account = {
    ...accountAt('acme', 'www.evil.example'),
    name: 'Locked! Unlock at evil.example',
  };
  await service.services.accountLinking.openPending(EMAIL, account, 'a browser', now() + HOUR);

  await nativeClient(service).post('/link-request', { email: EMAIL, provider: 'acme' });

  const [mail] = await service.mails();
  expect(mail?.text).toContain('acme');
  expect(JSON.stringify(mail)).not.toContain('evil.example');
});

test('attack: whoever opened an unproven account is out once its owner links theirs', async () => {
  const service = await startTestService();
  const { services } = service;
  const { client: squatter, user } = await signInAs(service, { email: EMAIL });
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

test('race: of twenty parallel uses of one link exactly one counts', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });
  await client.post('/link-request', { email: OTHER });
  const token = await linkTokenTo(service, OTHER);

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => nativeClient(service).post('/link-verify', { token })),
  );

  const losers = answers.filter(({ status }) => status !== 200);
  expect(losers.map(({ status, body }) => [status, body])).toEqual(
    Array(19).fill([400, invalidLink]),
  );
  expect(await linksOf(client)).toEqual([['email', OTHER]]);
});

test('race: an account elsewhere is linked to one account here, however many want it', async () => {
  const service = await startTestService();
  const { services } = service;
  const users = await Promise.all(Array.from({ length: 20 }, () => signInAs(service)));

  const added = await Promise.all(
    users.map(({ user }) => services.accountLinking.add(user.id, accountAt('acme', '1'))),
  );

  expect(added.filter(Boolean)).toHaveLength(1);
});

test('a link works for an hour, a new one voids the older', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });
  await client.post('/link-request', { email: OTHER });
  const older = await linkTokenTo(service, OTHER);
  await client.post('/link-request', { email: OTHER });
  const newer = await linkTokenTo(service, OTHER);

  expect((await client.post('/link-verify', { token: older })).body).toEqual(invalidLink);
  service.advance(HOUR + 1000);
  const late = await nativeClient(service).post('/link-verify', { token: newer });
  expect(late.body).toEqual(invalidLink);
});

test('an address with an account of its own is answered alike; its owner is told, and nothing linked', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });
  await signInAs(service, { email: OTHER });

  const { status, body } = await client.post('/link-request', { email: OTHER });

  expect([status, body]).toEqual([200, { success: true }]);
  const [mail] = await service.mails();
  expect(mail).toMatchObject({ to: OTHER, name: 'linkRequest' });
  expect(mail?.text).not.toContain('token=');
});

test('an address that gets an account after the mail is not linked to another', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });
  await client.post('/link-request', { email: OTHER });
  const token = await linkTokenTo(service, OTHER);
  await signInAs(service, { email: OTHER });

  expect((await client.post('/link-verify', { token })).body).toEqual(invalidLink);
});

test('attack: a thief who was signed out does not get in by an address of theirs', async () => {
  const service = await startTestService();
  const { client: thief, sessionId } = await signInAs(service, { email: EMAIL });
  const { client: owner } = await signInAs(service, { email: EMAIL });
  await thief.post('/link-request', { email: OTHER });
  const token = await linkTokenTo(service, OTHER);

  await owner.delete(`/sessions/${sessionId}`);

  const answer = await nativeClient(service).post('/link-verify', {
    token,
    loginAfterLinking: true,
  });
  expect([answer.status, answer.body]).toEqual([400, invalidLink]);
  expect(await linksOf(owner)).toEqual([]);
});

test('attack: a stolen old session adds no way in, which takes a recent sign-in', async () => {
  const service = await startTestService({ ACCESS_TOKEN_TTL: '1h' });
  const { client } = await signInAs(service, { email: EMAIL });
  service.advance(16 * 60 * 1000);

  const { status, body } = await client.post('/link-request', { email: OTHER });

  expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
});

test('attack: another site cannot ask in a signed-in browser', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service, { email: EMAIL });

  const { status, body } = await client.post(
    '/link-request',
    { email: OTHER },
    { 'x-csrf-token': 'guessed' },
  );

  expect([status, body.code]).toEqual([403, 'CSRF_INVALID']);
});
