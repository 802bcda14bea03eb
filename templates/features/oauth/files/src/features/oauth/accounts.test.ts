import { describe, expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { linkTokenTo } from '../../../test/linking.js';
import { counterparts } from '../../../test/oauth/counterparts.js';
import { createAccount, signInAt, startServiceWith } from '../../../test/oauth/sign-in-at.js';
import type { TestService } from '../../../test/service.js';
import { accountLinking } from '../account-linking/feature.js';

const EMAIL = 'ada@example.com';

const linkToken = (service: TestService) => linkTokenTo(service, EMAIL);

describe.each(counterparts)('%s', (_name, start, verifies) => {
  test.runIf(verifies)(
    'an address that both sides have proved is linked by itself, and the owner is told',
    async () => {
      const { service, counterpart } = await startServiceWith(start);
      const user = await createAccount(service, EMAIL, true);
      counterpart.person = { id: '1', email: 'ADA@Example.com', isEmailVerified: true };

      const { client, page } = await signInAt(service, counterpart);

      expect(page.href).toBe('http://app.test/');
      expect((await client.get('/me')).body).toMatchObject({
        sub: user.id,
        loginProvider: 'local',
      });
      const mails = await service.mails();
      expect(mails.map(({ to, name }) => [to, name])).toEqual([[EMAIL, 'accountLinked']]);
      expect(await service.events()).toContainEqual(
        expect.objectContaining({
          event: 'identity.user.linked',
          data: { provider: counterpart.name, providerAccountId: '1' },
        }),
      );
    },
  );

  test('attack: another spelling of the address, verified at the provider, is a conflict', async () => {
    const { service, counterpart } = await startServiceWith(start);
    await createAccount(service, 'kim@example.com', true);
    const kelvin = '\u212a';
    counterpart.person = { id: '1', email: `${kelvin}im@example.com`, isEmailVerified: true };

    const { client, page } = await signInAt(service, counterpart);

    expect(page.pathname).toBe('/account-conflict');
    expect((await client.get('/me')).status).toBe(401);
  });

  test.each([
    ['the provider has not proved', true, false],
    ['nobody has proved here: an account may wait there for its owner', false, true],
    ['nobody has proved', false, false],
  ])('attack: an address that %s is a conflict', async (_kind, isLocal, isRemote) => {
    const { service, counterpart } = await startServiceWith(start);
    const user = await createAccount(service, EMAIL, isLocal);
    counterpart.person = { id: '1', email: EMAIL, isEmailVerified: isRemote };

    const { client, page, answer } = await signInAt(service, counterpart);

    expect(page.origin + page.pathname).toBe('http://app.test/account-conflict');
    expect(Object.fromEntries(page.searchParams)).toEqual({
      provider: counterpart.name,
      code: 'OAUTH_ACCOUNT_CONFLICT',
      email: EMAIL,
    });
    expect(answer.setCookies.map(({ name }) => name)).not.toContain('accessToken');
    expect((await client.get('/me')).status).toBe(401);
    expect(await service.services.accountLinking.listOfUser(user.id)).toEqual([]);
    expect((await service.services.users.findById(user.id))?.emailVerifiedAt).toBe(
      isLocal ? 1 : null,
    );
    expect(await service.events()).toContainEqual(
      expect.objectContaining({
        event: 'identity.auth.oauth.conflict',
        data: { provider: counterpart.name, email: EMAIL },
      }),
    );
  });

  test('after a conflict the owner of the address lets the account in by mail', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const user = await createAccount(service, EMAIL, false);
    const { client } = await signInAt(service, counterpart);

    const asked = await client.post('/link-request', { email: EMAIL, provider: counterpart.name });
    const token = await linkToken(service);
    const linked = await client.post('/link-verify', { token, loginAfterLinking: true });

    expect([asked.status, asked.body]).toEqual([200, { success: true }]);
    expect([linked.status, linked.body]).toEqual([200, { success: true }]);
    expect((await client.get('/me')).body).toMatchObject({ sub: user.id, isEmailVerified: true });
    const { page } = await signInAt(service, counterpart);
    expect(page.href).toBe('http://app.test/');
  });

  test('a phone that has no cookie may ask too, for an hour, as long as one account is pending', async () => {
    const { service, counterpart } = await startServiceWith(start);
    await createAccount(service, EMAIL, false);
    await signInAt(service, counterpart);

    const body = { email: EMAIL, provider: counterpart.name };
    const { status } = await nativeClient(service).post('/link-request', body);

    expect(status).toBe(200);
    expect(await linkToken(service)).toMatch(/./);
    service.advance(60 * 60 * 1000 + 1000);
    expect((await nativeClient(service).post('/link-request', body)).status).toBe(401);
  });

  test('attack: a stranger who meets the same conflict cannot slip in their account', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const { services } = service;
    const user = await createAccount(service, EMAIL, true);
    counterpart.person = { id: '1', email: EMAIL, isEmailVerified: false };
    const { client } = await signInAt(service, counterpart);
    counterpart.person = { id: '666', email: EMAIL, isEmailVerified: false };
    await signInAt(service, counterpart);

    const body = { email: EMAIL, provider: counterpart.name };
    const withoutCookie = await nativeClient(service).post('/link-request', body);
    await client.post('/link-request', body);
    await client.post('/link-verify', { token: await linkToken(service) });

    expect([withoutCookie.status, withoutCookie.body.code]).toEqual([401, 'INVALID_TOKEN']);
    const linked = await services.accountLinking.listOfUser(user.id);
    expect(linked.map(({ id }) => id)).toEqual([expect.stringMatching(/\b1$/)]);
  });

  test('attack: once the provider is switched off, what it had begun opens nothing', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const user = await createAccount(service, EMAIL, false);
    const { client } = await signInAt(service, counterpart);
    const body = { email: EMAIL, provider: counterpart.name };
    await client.post('/link-request', body);
    const token = await linkToken(service);

    const clientId = `OAUTH_${counterpart.name.toUpperCase()}_CLIENT_ID`;
    Object.assign(service.config, { [clientId]: undefined });
    const asked = await client.post('/link-request', body);
    const linked = await client.post('/link-verify', { token, loginAfterLinking: true });

    expect([asked.status, asked.body.code]).toEqual([401, 'INVALID_TOKEN']);
    expect([linked.status, linked.body.code]).toEqual([400, 'INVALID_LINK_TOKEN']);
    expect(await service.services.accountLinking.listOfUser(user.id)).toEqual([]);
  });

  test('the only way in cannot be removed', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const { client } = await signInAt(service, counterpart);
    const { sub } = (await client.get('/me')).body;
    // Mailed links, if the service has them, open every account.
    const others = service.services.features
      .flatMap(({ credential }) => credential ?? [])
      .filter((each) => each !== accountLinking.credential);
    const opens = await Promise.all(
      others.map((other) => other.opensAccount(service.services, sub)),
    );

    const [account] = (await client.get('/linked-accounts')).body.linkedAccounts;
    const { providerAccountId: id } = account;
    const { status } = await client.delete(`/linked-accounts/${counterpart.name}/${id}`);

    expect(status).toBe(opens.includes(true) ? 200 : 409);
    const { linkedAccounts } = (await client.get('/linked-accounts')).body;
    expect(linkedAccounts).toHaveLength(opens.includes(true) ? 0 : 1);
  });

  test.runIf(verifies)(
    'an address that was added by mail is linked at its first proven sign-in',
    async () => {
      const { service, counterpart } = await startServiceWith(start);
      const user = await createAccount(service, 'ada@work.example', true);
      await service.services.accountLinking.add(user.id, {
        provider: 'email',
        id: EMAIL,
        email: EMAIL,
        name: null,
        picture: null,
      });

      const { client } = await signInAt(service, counterpart);

      expect((await client.get('/me')).body.sub).toBe(user.id);
    },
  );
});
