import { describe, expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { linkTokenTo } from './flows/link.js';
import { createAccount, signInAt, startServiceWith } from './flows/oauth.js';
import { counterparts } from './oauth/counterparts.js';
import type { TestService } from './service.js';

const EMAIL = 'ada@example.com';

const linkToken = (service: TestService) => linkTokenTo(service, EMAIL);

describe.each(counterparts)('%s', (_name, start, verifies) => {
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
    expect(await service.services.users.findById(user.id)).toEqual(user);
    expect(await service.events()).toContainEqual(
      expect.objectContaining({
        event: 'identity.auth.oauth.conflict',
        data: { provider: counterpart.name, email: EMAIL },
      }),
    );
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

describe.each(counterparts)('%s', (_name, start, verifies) => {
  test('in strict mode an address that the provider has not verified must be verified first', async () => {
    const { service, counterpart } = await startServiceWith(start, {
      EMAIL_VERIFICATION: 'strict',
    });
    counterpart.person = { id: '1', email: 'ada@example.com', isEmailVerified: false };

    const { page } = await signInAt(service, counterpart);

    expect(page.href).toBe('http://app.test/login?error=EMAIL_NOT_VERIFIED');
    expect((await service.mails()).map(({ name }) => name)).toContain('verification');
  });

  test.runIf(verifies)('one that the provider has verified is verified', async () => {
    const { service, counterpart } = await startServiceWith(start, {
      EMAIL_VERIFICATION: 'strict',
    });

    expect((await signInAt(service, counterpart)).page.href).toBe('http://app.test/');
    expect(await service.mails()).toEqual([]);
  });
});
