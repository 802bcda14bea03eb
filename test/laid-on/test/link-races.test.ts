import { expect, test, vi } from 'vitest';
import { type Client, nativeClient } from './client.js';
import { tokenFor } from './flows/email-change.js';
import { EMAIL, linksOf, linkTokenTo, meetConflict } from './flows/link.js';
import { requestMagicLink } from './flows/magic-link.js';
import { createPasswordAccount, requestResetToken } from './flows/password.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

// A mailed link is used up, and only then the sign-in begins: what ends all sessions in between ends that one too.

const OWN = 'mallory@evil.example';
const NEW = 'ada@elsewhere.example';
const newPassword = 'a password that is new';

/** Runs `act` after the link is used up and before its session is opened. */
function meanwhile({ services }: TestService, act: () => Promise<unknown>) {
  const { users } = services;
  const findAccount = users.findAccount.bind(users);
  vi.spyOn(users, 'findAccount').mockImplementationOnce(async (id) => {
    await act();
    return findAccount(id);
  });
}

/** A thief who holds a session of the account, and the link to a mailbox of theirs. */
async function withThief(isEmailProven = true) {
  const service = await startTestService();
  const account = await createPasswordAccount(service, { email: EMAIL, isEmailProven });
  const thief = await signInAs(service, { email: EMAIL });
  await thief.client.post('/link-request', { email: OWN });
  return { service, account, token: await linkTokenTo(service, OWN) };
}

async function expectNoSession(service: TestService, token: string): Promise<void> {
  const { status, body } = await openLink(service, token);
  expect([status, body.code]).toEqual([400, 'INVALID_LINK_TOKEN']);
}

const openLink = (service: TestService, token: string) =>
  nativeClient(service).post('/link-verify', { token, loginAfterLinking: true });

test('race: a link that a thief opens during the reset of the password opens no session', async () => {
  const { service, token } = await withThief();
  const reset = await requestResetToken(service, EMAIL);
  const act = () => nativeClient(service).post('/reset-password', { token: reset, newPassword });
  meanwhile(service, act);
  await expectNoSession(service, token);
});

test.each<[string, (owner: Client, password: string) => Promise<unknown>]>([
  [
    'changes the password',
    (owner, currentPassword) => owner.post('/change-password', { currentPassword, newPassword }),
  ],
  ['ends all other sessions', (owner) => owner.delete('/sessions')],
  [
    'removes the link',
    async (owner) => {
      for (const [provider, id] of await linksOf(owner)) {
        await owner.delete(`/linked-accounts/${provider}/${id}`);
      }
    },
  ],
])('race: a link that a thief opens while the owner %s opens no session', async (_act, act) => {
  const { service, account, token } = await withThief();
  const owner = await signInAs(service, { email: EMAIL });
  meanwhile(service, () => act(owner.client, account.password));
  await expectNoSession(service, token);
  expect((await owner.client.get('/me')).status).toBe(200);
});

test('race, pre-hijacking: a link that is opened during the first proof of the address opens no session', async () => {
  const { service, token } = await withThief(false);
  const magic = await requestMagicLink(service, EMAIL);
  const owner = nativeClient(service);
  let proven: Client | undefined;
  meanwhile(service, async () => {
    const { body } = await owner.post('/magic-link/verify', { token: magic });
    proven = nativeClient(service, body.accessToken);
  });
  await expectNoSession(service, token);
  expect(proven && (await linksOf(proven))).toEqual([]);
});

test('race: a link in the old mailbox opens no session once the account has moved', async () => {
  const service = await startTestService();
  const owner = await signInAs(service, { email: EMAIL });
  await meetConflict(service);
  await nativeClient(service).post('/link-request', { email: EMAIL, provider: 'acme' });
  const token = await linkTokenTo(service, EMAIL);
  const move = await tokenFor(service, owner.client, NEW);
  meanwhile(service, () => nativeClient(service).post('/change-email/confirm', { token: move }));
  await expectNoSession(service, token);
  expect((await owner.client.get('/me')).body.email).toBe(NEW);
});

test('race: of links that thieves open while all other sessions are ended, no session is left', async () => {
  const service = await startTestService();
  const rounds = Array.from({ length: 20 }, async (_, nth) => {
    const email = `ada${nth}@example.com`;
    const owner = await signInAs(service, { email });
    const thief = await signInAs(service, { email });
    await thief.client.post('/link-request', { email: `${nth}${OWN}` });
    const token = await linkTokenTo(service, `${nth}${OWN}`);
    const [opened] = await Promise.all([
      openLink(service, token),
      owner.client.delete('/sessions'),
    ]);
    return (await nativeClient(service, opened.body.accessToken).get('/me')).status;
  });
  expect(new Set(await Promise.all(rounds))).toEqual(new Set([401]));
});
