import { describe, expect, test } from 'vitest';
import { accountLinking } from '../src/features/account-linking/feature.js';
import { nativeClient } from './client.js';
import { linkTokenTo } from './flows/link.js';
import { createAccount, signInAt, startServiceWith } from './flows/oauth.js';
import { counterparts } from './oauth/counterparts.js';
import type { TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const EMAIL = 'ada@example.com';

const linkToken = (service: TestService) => linkTokenTo(service, EMAIL);

describe.each(counterparts)('%s', (name, start, verifies) => {
  test('attack: whoever signed in by an account at the provider is out once its link is removed; the owner stays', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const owner = await signInAs(service, { email: EMAIL });
    const account = { provider: name, id: '66', email: EMAIL, name: null, picture: null };
    await service.services.accountLinking.add(owner.user.id, account);
    counterpart.person = { id: '66', email: EMAIL, isEmailVerified: true };
    const { client: thief } = await signInAt(service, counterpart);
    expect((await thief.get('/me')).body.sub).toBe(owner.user.id);

    expect((await owner.client.delete(`/linked-accounts/${name}/66`)).status).toBe(200);

    expect((await thief.get('/me')).status).toBe(401);
    expect((await thief.post('/refresh')).status).toBe(401);
    expect((await owner.client.get('/me')).status).toBe(200);
  });

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
    'kim@xn--gmail-.com',
    'kim@xn--xn--gmail--.com',
    'kim@gmail.com/.xn--p1ai.evil.example',
    'kim@gmail.com#.xn--p1ai.evil.example',
  ])('attack: %s, verified at the provider, is not taken for kim@gmail.com', async (email) => {
    const { service, counterpart } = await startServiceWith(start);
    await createAccount(service, 'kim@gmail.com', true);
    counterpart.person = { id: '1', email, isEmailVerified: true };

    const { client } = await signInAt(service, counterpart);

    expect((await client.get('/me')).body.email).not.toBe('kim@gmail.com');
  });

  test('whoever signs up is linked to the provider; whoever deletes their account is unlinked', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const { client } = await signInAt(service, counterpart);

    expect((await client.delete('/account')).status).toBe(200);

    const data = { provider: counterpart.name, providerAccountId: counterpart.person.id };
    const events = await service.events();
    for (const event of ['identity.user.linked', 'identity.user.unlinked']) {
      expect(events).toContainEqual(expect.objectContaining({ event, data }));
    }
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

  test('an address that was added by mail is linked at its first proven sign-in, and opens no second account', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const user = await createAccount(service, 'ada@work.example', true);
    await service.services.accountLinking.add(user.id, {
      provider: 'email',
      id: EMAIL,
      email: EMAIL,
      name: null,
      picture: null,
    });

    counterpart.person = { id: '1', email: EMAIL, isEmailVerified: false };
    const { page } = await signInAt(service, counterpart);
    expect(page.search).toBe('?error=OAUTH_SIGN_UP_REFUSED');
    if (!verifies) return;
    counterpart.person.isEmailVerified = true;
    const { client } = await signInAt(service, counterpart);

    expect((await client.get('/me')).body.sub).toBe(user.id);
  });
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

describe.each(counterparts)('%s', (_name, start) => {
  test('a disabled account stays closed, and only its owner sees why', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const { client } = await signInAt(service, counterpart);
    const { sub } = (await client.get('/me')).body;
    const { db } = service.services;
    await db.updateTable('users').set({ disabled_at: 1 }).where('id', '=', sub).execute();

    const { page, answer } = await signInAt(service, counterpart);

    expect(page.href).toBe('http://app.test/login?error=ACCOUNT_DISABLED');
    expect(answer.setCookies.map(({ name }) => name)).not.toContain('accessToken');
  });

  test('F-09 a disabled account gains no link that would open it once it is enabled', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const { id } = await createAccount(service, EMAIL, true);
    await service.services.users.setDisabled(id, Date.now());
    counterpart.person = { id: '1', email: EMAIL, isEmailVerified: true };

    const { page } = await signInAt(service, counterpart);

    expect(page.pathname).toMatch(/login|account-conflict/);
    expect(await service.services.accountLinking.listOfUser(id)).toEqual([]);
    expect(await service.mails()).toEqual([]);
  });

  test('the only way to sign in cannot be removed', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const { client } = await signInAt(service, counterpart);
    const { sub } = (await client.get('/me')).body;
    // Mailed links, if the service has them, open every account.
    const others = service.services.features
      .flatMap(({ credential }) => credential ?? [])
      .filter((each) => each !== accountLinking.credential);
    const opens = await Promise.all(
      others.map((other) => other.opensAccount?.(service.services, sub)),
    );

    const [account] = (await client.get('/linked-accounts')).body.linkedAccounts;
    const { providerAccountId: id } = account;
    const { status } = await client.delete(`/linked-accounts/${counterpart.name}/${id}`);

    expect(status).toBe(opens.includes(true) ? 200 : 409);
    const { linkedAccounts } = (await client.get('/linked-accounts')).body;
    expect(linkedAccounts).toHaveLength(opens.includes(true) ? 0 : 1);
  });
});

test.each(counterparts.filter(([, , verifies]) => verifies))(
  'a sign-in at %s proves the address of its account only if it names the same one',
  async (_name, start) => {
    const { service, counterpart } = await startServiceWith(start);
    const { accountLinking, users } = service.services;
    const provider = counterpart.name;
    const { id: userId } = await createAccount(service, 'victim@example.com', false);
    const described = { email: null, name: null, picture: null };
    await accountLinking.add(userId, { provider, id: '1', ...described });
    await accountLinking.add(userId, { provider: 'acme', id: '2', ...described });

    counterpart.person = { id: '1', email: 'other@example.com', isEmailVerified: true };
    await signInAt(service, counterpart);
    expect((await users.findById(userId))?.emailProvenAt).toBe(null);

    counterpart.person = { id: '1', email: 'victim@example.com', isEmailVerified: true };
    await signInAt(service, counterpart);
    expect((await users.findById(userId))?.emailProvenAt).not.toBe(null);
    // What proves the address stays, without an event that it went.
    const left = await accountLinking.listOfUser(userId);
    expect(left.map((each) => each.provider)).toEqual([provider]);
    const unlinked = (await service.events()).filter(({ event }) => event.endsWith('.unlinked'));
    expect(unlinked.map(({ data }) => data)).toEqual([
      { provider: 'acme', providerAccountId: '2' },
    ]);
  },
);
