import { describe, expect, test } from 'vitest';
import { browser, nativeClient } from '../../../test/client.js';
import { linkTokenTo } from '../../../test/flows/link.js';
import {
  begin,
  comeBack,
  createAccount,
  signInAt,
  startServiceWith,
} from '../../../test/flows/oauth.js';
import { counterparts, everyCounterpart } from '../../../test/oauth/counterparts.js';
import type { TestService } from '../../../test/service.js';

const EMAIL = 'ada@example.com';

const linkToken = (service: TestService) => linkTokenTo(service, EMAIL);

test.each(everyCounterpart)('a user signs in with %s', async (name, start) => {
  const { service, counterpart } = await startServiceWith(start);
  const { client } = await signInAt(service, counterpart);
  expect((await client.get('/me')).body).toMatchObject({ email: EMAIL, loginProvider: name });
});

describe.each(counterparts)('%s', (_name, start, verifies) => {
  test('a new user gets an account and a session, and returns to the page they came from', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const client = browser(service);
    const location = await begin(client, counterpart, '?return_path=/inbox?tab=2');

    const back = await comeBack(service, client, await counterpart.agree(location));

    expect([back.status, back.headers.get('location')]).toEqual([
      302,
      'http://app.test/inbox?tab=2',
    ]);
    expect((await client.get('/me')).body).toMatchObject({
      email: 'ada@example.com',
      isEmailVerified: verifies,
      loginProvider: counterpart.name,
      role: 'user',
      metadata: { name: 'Ada' },
    });
    expect((await client.get('/linked-accounts')).body.linkedAccounts).toEqual([
      expect.objectContaining({
        provider: counterpart.name,
        providerAccountId: expect.stringMatching(/\b1$/),
        email: 'ada@example.com',
        name: 'Ada',
      }),
    ]);
    const events = (await service.events()).map(({ event, data }) => [event, data]);
    expect(events).toContainEqual(['identity.auth.oauth.success', { provider: counterpart.name }]);
    expect(events).toContainEqual([
      'identity.auth.login.success',
      { method: 'oauth', provider: counterpart.name },
    ]);
  });

  test('the authorization request has a state, PKCE and a redirect URI that no header decides', async () => {
    const { service, counterpart } = await startServiceWith(start);

    const { headers, setCookies } = await browser(service).get(`/oauth/${counterpart.name}`, {
      'x-forwarded-host': 'evil.test',
    });

    const query = Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      redirect_uri: `http://auth.test/auth/oauth/${counterpart.name}/callback`,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{200,400}$/),
    });
    expect(setCookies).toContainEqual(
      expect.objectContaining({ name: 'oauth-browser', httpOnly: true, sameSite: 'lax' }),
    );
  });

  test('an account is known by its id: a new address at the provider does not change the one here', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const { client: first } = await signInAt(service, counterpart);
    const { sub } = (await first.get('/me')).body;

    counterpart.person = { id: '1', email: 'new@example.com', isEmailVerified: true };
    const { client } = await signInAt(service, counterpart);

    expect((await client.get('/me')).body).toMatchObject({ sub, email: 'ada@example.com' });
    const { linkedAccounts } = (await client.get('/linked-accounts')).body;
    expect(linkedAccounts).toMatchObject([{ email: 'new@example.com' }]);
  });

  test('a provider without a client answers 404, and so does an unknown one', async () => {
    const { counterpart } = await startServiceWith(start);
    const [, secret = ''] = Object.keys(counterpart.variables);
    const { service } = await startServiceWith(async () => ({
      ...counterpart,
      variables: { ...counterpart.variables, [secret]: '' },
    }));
    const paths = [counterpart.name, 'unknown', 'constructor', '__proto__', '%00'].flatMap(
      (name) => [`/oauth/${name}`, `/oauth/${name}/callback?state=x&code=y`],
    );

    const { body: page } = await nativeClient(service).get('/ui/config');
    expect(page.features[counterpart.name]).toBe(false);
    for (const path of paths) {
      const { status, body } = await nativeClient(service).get(path);
      expect([path, status, body.code]).toEqual([path, 404, 'OAUTH_NOT_CONFIGURED']);
    }
  });

  test.runIf(verifies)(
    'an address that both sides have verified is linked automatically, and the owner is notified',
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

  test('after a conflict the owner of the address links the account by mail', async () => {
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

  test('attack: a stranger with the same conflict cannot link their account', async () => {
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
});
