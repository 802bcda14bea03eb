import { expect, test, vi } from 'vitest';
import { providers } from '../src/features/oauth/providers.js';
import { browser, nativeClient } from './client.js';
import { linkTokenTo } from './flows/link.js';
import { requestMagicLink } from './flows/magic-link.js';
import { signInAt } from './flows/oauth.js';
import {
  createPasswordAccount,
  opensWith,
  requestResetToken,
  resetPassword,
  signInWithPassword,
} from './flows/password.js';
import { closedGate } from './gate.js';
import {
  ADA,
  NAVIGATION,
  namesOfMails,
  openByScanner,
  PASSWORD,
  plant,
  proofs,
  startWorld,
  tokenTo,
  VICTIM,
  verificationLink,
  type World,
  whatRemains,
} from './planted.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

// An attacker who opens an account with somebody else's address is locked out once its owner proves it, whatever they planted.

test.each(Object.entries(proofs))(
  'F-02 attack: by %s all that was planted is gone',
  async (_name, prove) => {
    const world = await startWorld({ EMAIL_VERIFICATION: 'lazy' });
    const attacker = await plant(world);
    const [inSession, bySetUp] = attacker.refusedFactors;
    for (const refused of [inSession, bySetUp]) {
      expect([refused?.status, refused?.body.code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
    }

    await prove(world);

    expect(await whatRemains(attacker)).toEqual([]);
    const told = (await world.service.mails()).find(({ name }) => name === 'addedBeforeRemoved');
    expect(told?.to).toBe(VICTIM);
    expect(told?.text).toMatch(/the phone number ending in 678/);
    expect(told?.text).toContain(`the link to ${providers[world.counterpart.name]?.title}`);
    const events = (await world.service.events()).map(({ event }) => event);
    expect(events.filter((event) => event === 'identity.user.unlinked')).toHaveLength(2);
  },
);

/** These prove nothing, and so remove nothing. */
const noProofs: Record<string, (world: World) => Promise<unknown>> = {
  'a scanner that opens the link of the verification': openByScanner,
  async 'a sign-in of the owner at a provider'({ service, counterpart }) {
    counterpart.person = { id: '1', email: VICTIM, isEmailVerified: true };
    const { client, page } = await signInAt(service, counterpart);
    expect([page.pathname, (await client.get('/me')).status]).toEqual(['/account-conflict', 401]);
  },
  async 'a link to another mailbox of whoever opened the account'() {},
};

test.each(Object.entries(noProofs))(
  '%s proves nothing: no second factor yet',
  async (_name, act) => {
    const world = await startWorld({ EMAIL_VERIFICATION: 'lazy' });
    const attacker = await plant(world);

    await act(world);

    expect((await attacker.client.post('/2fa/setup')).body.code).toBe('EMAIL_NOT_VERIFIED');
    expect(await namesOfMails(world.service)).not.toContain('addedBeforeRemoved');
    expect((await whatRemains(attacker)).length).toBeGreaterThan(4);
  },
);

test('F-02 attack: an account that is moved to the address of a victim comes to them empty', async () => {
  const world = await startWorld();
  const { service } = world;
  const attacker = await plant(world, 'mallory@evil.example');
  await attacker.client.post('/change-email/request', { newEmail: VICTIM });
  const token = await tokenTo(service, VICTIM, 'change-email');

  await browser(service).post('/change-email/confirm', { token });

  expect(await whatRemains(attacker)).toEqual([]);
});

test('attack: the word of a provider that may not link counts for no account that waits here', async () => {
  const world = await startWorld();
  const { service, counterpart } = world;
  await plant(world);
  const name = `OAUTH_${counterpart.name.toUpperCase()}_LINK_BY_EMAIL`;
  const off = await startTestService({
    ...counterpart.variables,
    DATABASE_URL: service.config.DATABASE_URL,
    [name]: 'off',
  });
  await proofs['a reset of the password']?.(world);
  counterpart.person = { id: '1', email: VICTIM, isEmailVerified: true };

  expect((await signInAt(off, counterpart)).page.pathname).toBe('/account-conflict');
  expect((await signInAt(service, counterpart)).page.pathname).toBe('/');
});

// Races, and links that come late.

test('race: of parallel proofs exactly one is the first', async () => {
  const world = await startWorld({ EMAIL_VERIFICATION: 'lazy' });
  const { service } = world;
  const attacker = await plant(world);
  const magicLink = await requestMagicLink(service, VICTIM);
  const reset = await requestResetToken(service, VICTIM);

  const native = nativeClient(service);
  await Promise.all([
    ...Array.from({ length: 5 }, () => native.post('/magic-link/verify', { token: magicLink })),
    ...Array.from({ length: 5 }, () => resetPassword(service, reset)),
  ]);

  expect(await whatRemains(attacker)).toEqual([]);
  const mails = await namesOfMails(service);
  expect(mails.filter((name) => name === 'addedBeforeRemoved')).toHaveLength(1);
});

test('race: what is planted while the owner proves the address is gone too', async () => {
  const world = await startWorld();
  const { service, counterpart } = world;
  counterpart.person = { id: '666', email: VICTIM, isEmailVerified: false };
  const { client } = await signInAt(service, counterpart);
  const token = await requestMagicLink(service, VICTIM);
  const { services } = service;
  const { transaction } = services;
  // The attacker's session was checked before; the password would be saved afterwards.
  vi.spyOn(services, 'transaction').mockImplementationOnce(async (work, frequent) => {
    await nativeClient(service).post('/magic-link/verify', { token });
    return transaction(work, frequent);
  });

  const change = { currentPassword: '', newPassword: PASSWORD };
  expect((await client.post('/change-password', change)).body.code).toBe('SESSION_REVOKED');

  expect((await nativeClient(service).post('/login', ADA)).status).toBe(401);
});

test.each([
  [
    'the account of a provider',
    1,
    async ({ service, counterpart }: World) => {
      counterpart.person = { id: '666', email: VICTIM, isEmailVerified: false };
      const { client } = await signInAt(service, counterpart);
      return (await client.get('/me')).status;
    },
  ],
  [
    'a phone',
    1,
    async ({ service, phones }: World) => {
      await nativeClient(service).post('/sms/send', { email: VICTIM });
      const code = await phones.lastCode();
      return (await nativeClient(service).post('/sms/verify', { email: VICTIM, code })).status;
    },
  ],
  [
    'a phone as its second step',
    4,
    async ({ service, phones }: World) => {
      const client = nativeClient(service);
      await service.services.settings.set('require2FA', true);
      const { tempToken } = (await client.post('/login', ADA)).body;
      await service.services.settings.set('require2FA', null);
      await client.post('/sms/send', { tempToken, mode: '2fa' });
      const code = await phones.lastCode();
      return (await client.post('/sms/verify', { tempToken, mode: '2fa', code })).status;
    },
  ],
])(
  'race: a sign-in by %s that was planted does not outlive the proof',
  async (_name, looks, signIn) => {
    const world = await startWorld();
    const { services } = world.service;
    await plant(world);
    const token = await requestMagicLink(world.service, VICTIM);
    const [checked, proof] = [closedGate(), closedGate()];
    const { findAccount } = services.users;
    let looked = 0;
    // The last check before the session opens.
    vi.spyOn(services.users, 'findAccount').mockImplementation(async (id) => {
      looked += 1;
      if (looked !== looks) return findAccount(id);
      checked.open();
      await proof.opened;
      return findAccount(id);
    });

    const signingIn = signIn(world);
    await checked.opened;
    await nativeClient(world.service).post('/magic-link/verify', { token });
    proof.open();
    await signingIn;

    const sessions = await services.db.selectFrom('sessions').select('id').execute();
    expect(sessions, 'that of the magic link').toHaveLength(1);
  },
);

test('a link that was asked for before its account was unlinked does not bring it back', async () => {
  const world = await startWorld();
  const { service, counterpart } = world;
  const { client } = await signInAs(service, { email: VICTIM });
  counterpart.person = { id: '1', email: VICTIM, isEmailVerified: false };
  const { client: asking } = await signInAt(service, counterpart);
  await asking.post('/link-request', { email: VICTIM, provider: counterpart.name });
  const late = await linkTokenTo(service, VICTIM);
  counterpart.person = { id: '1', email: VICTIM, isEmailVerified: true };
  await signInAt(service, counterpart);
  expect((await client.delete(`/linked-accounts/${counterpart.name}/1`)).status).toBe(200);

  const { body } = await nativeClient(service).post('/link-verify', { token: late });

  expect(body.code).toBe('INVALID_LINK_TOKEN');
  expect(
    (await asking.post('/link-request', { email: VICTIM, provider: counterpart.name })).status,
  ).toBe(401);
});

test('a link that was asked for by one person in a browser does nothing once another is signed in there', async () => {
  const { service } = await startWorld();
  const shared = browser(service);
  await shared.post('/register', ADA);
  await shared.post('/login', ADA);
  await shared.post('/link-request', { email: 'other@example.com' });
  const token = await linkTokenTo(service, 'other@example.com');
  await shared.post('/logout');
  const eve = { ...ADA, email: 'eve@example.com' };
  await shared.post('/register', eve);
  await shared.post('/login', eve);

  const { body } = await shared.post('/link-verify', { token });

  expect(body.code).toBe('INVALID_LINK_TOKEN');
  expect((await shared.get('/linked-accounts')).body.linkedAccounts).toEqual([]);
});

test('mailed links are a way into an account only if its address is proven: the last other one stays', async () => {
  const world = await startWorld();
  const { service, counterpart } = world;
  counterpart.person = { id: '1', email: VICTIM, isEmailVerified: false };
  const { client } = await signInAt(service, counterpart);
  const unlink = () => client.delete(`/linked-accounts/${counterpart.name}/1`);

  expect((await unlink()).body.code).toBe('LAST_LOGIN_METHOD');

  await client.get(await verificationLink(service, client), NAVIGATION);
  expect((await unlink()).status).toBe(200);
});

test('F-02 attack: a link to the mailbox of whoever opened the account makes no browser its own', async () => {
  const service = await startTestService();
  const planted = await createPasswordAccount(service, { email: VICTIM, isEmailProven: false });
  const attacker = await signInWithPassword(service, planted);
  await attacker.post('/link-request', { email: 'attacker@evil.example' });
  const token = await linkTokenTo(service, 'attacker@evil.example');

  const victim = browser(service);
  const linked = await victim.post('/link-verify', { token, loginAfterLinking: true });
  expect([linked.status, (await victim.get('/me')).body.email]).toEqual([200, VICTIM]);
  expect((await victim.post('/2fa/setup')).body.code).toBe('REAUTHENTICATION_REQUIRED');
  const magic = await requestMagicLink(service, VICTIM);
  expect((await victim.post('/magic-link/verify', { token: magic })).status).toBe(200);

  expect(await opensWith(service, planted, planted.password)).toBe(false);
  expect((await attacker.get('/me')).body.code).toBe('SESSION_REVOKED');
});
