import { expect, test, vi } from 'vitest';
import { openPending, pendingKind } from '../src/features/account-linking/linked-accounts.js';
import { disableUser } from '../src/session/end-session.js';
import { browser, nativeClient } from './client.js';
import { accountAt, EMAIL, linksOf, linkTokenTo, meetConflict } from './flows/link.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const OTHER = 'ada@home.example';

const invalidLink = { error: 'This link is no longer valid.', code: 'INVALID_LINK_TOKEN' };

test('what the provider account is was decided when the link was mailed', async () => {
  const service = await startTestService();
  const { client, user } = await signInAs(service, { email: EMAIL });
  await meetConflict(service, '1');
  await nativeClient(service).post('/link-request', { email: EMAIL, provider: 'acme' });
  const token = await linkTokenTo(service, EMAIL);

  await service.services.oneTimeTokens.revoke(pendingKind(accountAt('acme', '1')), user.id);
  await meetConflict(service, '666');
  await client.post('/link-verify', { token });

  expect((await service.services.accountLinking.find('acme', '1'))?.userId).toBeDefined();
  expect(await service.services.accountLinking.find('acme', '666')).toBeUndefined();
});

test('attack: a link requested before an account was disabled is not mailed, so enabling revives nothing', async () => {
  const service = await startTestService();
  const { client, user } = await signInAs(service, { email: EMAIL });
  await client.post('/link-request', { email: OTHER });

  await disableUser(service.services, user.id, {});

  expect(await service.mails()).toEqual([]);
});

test('attack: no link is mailed for an account that is disabled already', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service, { email: EMAIL });
  await disableUser(service.services, user.id, {});
  await meetConflict(service, '1');

  const asked = { email: EMAIL, provider: 'acme' };
  expect((await nativeClient(service).post('/link-request', asked)).status).toBe(200);

  expect(await service.mails()).toEqual([]);
});

test('attack: neither a name nor an id at a provider gets into the mail', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service, { email: EMAIL });
  const account = {
    ...accountAt('acme', 'www.evil.example'),
    name: 'Locked! Unlock at evil.example',
  };
  await openPending(service.services, user, { account, browser: 'a browser' });

  await nativeClient(service).post('/link-request', { email: EMAIL, provider: 'acme' });

  const [mail] = await service.mails();
  expect(mail?.text).toContain('acme');
  expect(JSON.stringify(mail)).not.toContain('evil.example');
});

test('attack: the address of the account, which its owner chose, is not in the mail to another one', async () => {
  const service = await startTestService();
  const email = 'www.evil.example/prize@evil.example';
  for (const isEmailProven of [false, true]) {
    const { client } = await signInAs(service, { email, isEmailProven });
    await client.post('/link-request', { email: OTHER });
    const mail = (await service.mails()).at(-1);
    expect([mail?.to, mail?.text.includes(email)]).toEqual([OTHER, false]);
    await client.delete('/account');
    service.advance(60_000);
  }
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

test('an address with an account of its own is answered alike; its owner is notified, and nothing linked', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });
  await signInAs(service, { email: OTHER });

  const { status, body } = await client.post('/link-request', { email: OTHER });

  expect([status, body]).toEqual([200, { success: true }]);
  const [mail] = await service.mails();
  expect(mail).toMatchObject({ to: OTHER, name: 'linkRequest' });
  expect(mail?.text).not.toContain('token=');
});

test('enumeration: a request for any other address voids the older link, whether or not it has an account', async () => {
  for (const taken of [false, true]) {
    const service = await startTestService();
    const { client } = await signInAs(service, { email: EMAIL });
    if (taken) await signInAs(service, { email: 'other@example.com' });
    await client.post('/link-request', { email: OTHER });
    const older = await linkTokenTo(service, OTHER);
    await client.post('/link-request', { email: 'other@example.com' });
    await service.idle();

    const { body } = await client.post('/link-verify', { token: older });

    expect([taken, body]).toEqual([taken, invalidLink]);
  }
});

test('an address that gets an account after the mail is not linked to another', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });
  await client.post('/link-request', { email: OTHER });
  const token = await linkTokenTo(service, OTHER);
  await signInAs(service, { email: OTHER });

  expect((await client.post('/link-verify', { token })).body).toEqual(invalidLink);
});

test('race: the link of a conflict is void once its account has left the address', async () => {
  const service = await startTestService();
  const { client, user } = await signInAs(service, { email: EMAIL });
  await meetConflict(service);
  await nativeClient(service).post('/link-request', { email: EMAIL, provider: 'acme' });
  const token = await linkTokenTo(service, EMAIL);
  await service.services.users.changeEmail(user.id, OTHER);

  const answer = await nativeClient(service).post('/link-verify', { token });

  expect(answer.body).toEqual(invalidLink);
  expect(await linksOf(client)).toEqual([]);
});

test('a link to what the account already has changes nothing; to what another has, it is refused', async () => {
  const service = await startTestService();
  const { client, user } = await signInAs(service, { email: EMAIL });
  const { user: other } = await signInAs(service);
  const held = [
    ['1', user.id, { success: true }],
    ['2', other.id, invalidLink],
  ] as const;

  for (const [id, holder, answer] of held) {
    await meetConflict(service, id);
    await nativeClient(service).post('/link-request', { email: EMAIL, provider: 'acme' });
    const token = await linkTokenTo(service, EMAIL);
    await service.services.accountLinking.add(holder, accountAt('acme', id));
    await service.services.oneTimeTokens.revoke(pendingKind(accountAt('acme', id)), user.id);

    expect((await nativeClient(service).post('/link-verify', { token })).body).toEqual(answer);
  }
  expect(await linksOf(client)).toEqual([['acme', '1']]);
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

test('attack: a link that was pending for a deleted account is not offered to the next account with its address', async () => {
  const service = await startTestService();
  const email = 'ada@example.com';
  const ada = await signInAs(service, { email });
  const eves = { provider: 'acme', id: 'eve', email, name: 'Eve', picture: null };
  await openPending(service.services, ada.user, { account: eves, browser: 'browser' });
  expect((await ada.client.delete('/account')).status).toBe(200);

  await signInAs(service, { email });
  const asked = await browser(service).post('/link-request', { email, provider: 'acme' });
  expect([asked.status, asked.body.code]).toEqual([401, 'INVALID_TOKEN']);
  expect(await service.mails()).toEqual([]);
});

test('a conflict counts for its own address and provider only', async () => {
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

test('enumeration: a request to link an unknown address is refused after as many queries', async () => {
  const service = await startTestService();
  await signInAs(service, { email: EMAIL });
  const executors = Object.getPrototypeOf(service.services.db.getExecutor());
  const queries = vi.spyOn(executors, 'executeQuery');

  /** The least of a few requests: what runs beside them counts too. */
  async function queriesFor(email: string): Promise<number> {
    const counts: number[] = [];
    for (let nth = 0; nth < 5; nth++) {
      queries.mockClear();
      const asked = { email, provider: 'acme' };
      expect((await nativeClient(service).post('/link-request', asked)).status).toBe(401);
      counts.push(queries.mock.calls.length);
    }
    return Math.min(...counts);
  }

  expect(await queriesFor('nobody@example.com')).toBe(await queriesFor(EMAIL));
});

test('attack: a mistyped mailbox that is added signs in to no set-up of a second factor', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });
  await client.post('/link-request', { email: OTHER });
  const token = await linkTokenTo(service, OTHER);
  await service.services.settings.set('require2FA', true);

  const answer = await nativeClient(service).post('/link-verify', {
    token,
    loginAfterLinking: true,
  });

  expect([answer.status, answer.body.code]).toEqual([403, '2FA_SETUP_REQUIRED']);
  expect(answer.body).not.toHaveProperty('tempToken');
});
