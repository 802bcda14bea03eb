import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../../test/client.js';
import { accountAt, EMAIL, linksOf, linkTokenTo, meetConflict } from '../../../test/linking.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { now } from '../../clock.js';

const OTHER = 'ada@home.example';
const MINUTE = 60_000;

test('a signed-in person adds an address by the link that is mailed to it', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });

  const asked = await client.post('/link-request', { email: OTHER });
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
  expect((await service.mails()).map(({ to, subject }) => [to, subject])).toEqual([
    [OTHER, 'Link an account'],
    [EMAIL, 'An account was linked to yours'],
  ]);
});

test('nothing is linked before the link is used', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });

  await client.post('/link-request', { email: OTHER });

  expect(await linksOf(client)).toEqual([]);
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

test('the mail says who waits, and the link lets that account in and signs in if wanted', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service, { email: EMAIL });
  await meetConflict(service);
  const client = browser(service);
  await client.post('/link-request', { email: EMAIL, provider: 'acme' });
  expect((await service.mails()).at(-1)?.text).toContain('signed in at acme as Ada');

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

test('a native client gets its tokens in the body', async () => {
  const service = await startTestService();
  await signInAs(service, { email: EMAIL });
  await meetConflict(service);
  const client = nativeClient(service);
  await client.post('/link-request', { email: EMAIL, provider: 'acme' });

  const token = await linkTokenTo(service, EMAIL);
  const { body, setCookies } = await client.post('/link-verify', {
    token,
    loginAfterLinking: true,
  });

  expect(body).toEqual({
    success: true,
    accessToken: expect.any(String),
    refreshToken: expect.any(String),
  });
  expect(setCookies).toEqual([]);
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

test.each([
  ['Ada Lovelace', '1', 'signed in at acme as Ada Lovelace and'],
  ['Ms. O’Neill-Ng Jr.', '1', 'as Ms. O’Neill-Ng Jr. and'],
  ['Locked! Unlock at https://evil.example', '4711', 'as 4711 and'],
  ['evil.example', 'evil.example', 'as somebody and'],
  ['you. '.repeat(20), 'www.evil.example', 'as somebody and'],
])('phishing: a name at a provider does not write the mail: %s', async (name, id, expected) => {
  const service = await startTestService();
  await signInAs(service, { email: EMAIL });
  const account = { ...accountAt('acme', id), name };
  await service.services.accountLinking.openPending(EMAIL, account, 'a browser', now() + MINUTE);

  await nativeClient(service).post('/link-request', { email: EMAIL, provider: 'acme' });

  const [mail] = await service.mails();
  expect(mail?.text).toContain(expected);
  expect(mail?.text).not.toContain('evil.example');
});
