import { expect, test } from 'vitest';
import { disableUser } from '../../src/session/end-session.js';
import { type Client, nativeClient } from '../client.js';
import { startTestService, type TestService } from '../service.js';
import { type SignedIn, signInAs } from '../sign-in-as.js';

/** Ways to end a session, by its owner, an administrator or the service itself. */
const ends: Record<string, (service: TestService, person: SignedIn) => Promise<unknown>> = {
  'signing out': (_service, { client }) => client.post('/logout'),
  'ending it in the list': (_service, { client, sessionId }) =>
    client.delete(`/sessions/${sessionId}`),
  'disabling the account': ({ services }, { user }) => disableUser(services, user.id, {}),
  'deleting the account': ({ services }, { user }) => services.users.delete(user.id),
};

const isSignedIn = async (client: Client) => (await client.get('/me')).status === 200;
const refresh = (service: TestService, refreshToken: string) =>
  nativeClient(service).post('/refresh', { refreshToken });

test('F-23 litellm CVE-2026-35030 class refused: tokens that differ in one part only are told apart', async () => {
  const service = await startTestService();
  const [ada, bob] = [await signInAs(service), await signInAs(service)];
  // From here on both access tokens are remembered as verified.
  for (const { client } of [ada, bob]) expect(await isSignedIn(client)).toBe(true);
  const [one, two] = [ada.accessToken.split('.'), bob.accessToken.split('.')];
  for (let pick = 1; pick < 7; pick++) {
    const mixed = one.map((part, at) => ((pick >> at) & 1 ? two[at] : part)).join('.');
    const isWhole = [ada.accessToken, bob.accessToken].includes(mixed);
    if (!isWhole)
      expect([pick, await isSignedIn(nativeClient(service, mixed))]).toEqual([pick, false]);
  }
  for (const cut of [-1, -10, -43]) {
    expect(await isSignedIn(nativeClient(service, ada.accessToken.slice(0, cut)))).toBe(false);
  }
});

test('F-24 better-auth #9967 class refused: a session that one instance ends is dead at the next request to another', async () => {
  const service = await startTestService();
  const other = await startTestService(service.environment);
  for (const [how, end] of Object.entries(ends)) {
    const person = await signInAs(service);
    const elsewhere = nativeClient(other, person.accessToken);
    expect([how, await isSignedIn(elsewhere)]).toEqual([how, true]);
    await end(service, person);
    expect([how, await isSignedIn(elsewhere)]).toEqual([how, false]);
    expect((await refresh(other, person.refreshToken)).status).toBe(401);
  }
  const admin = await signInAs(service, { role: 'admin' });
  const elsewhere = nativeClient(other, admin.accessToken);
  expect((await elsewhere.post('/sessions/cleanup')).status).toBe(200);
  const roles = service.services.db.deleteFrom('user_roles');
  await roles.where('user_id', '=', admin.user.id).execute();
  expect((await elsewhere.post('/sessions/cleanup')).status).toBe(403);
});

test('F-25 Supabase #2624 #2612 class refused: a refresh at the very moment a session ends leaves nothing alive', async () => {
  const service = await startTestService();
  for (const [how, end] of Object.entries(ends)) {
    for (let round = 0; round < 10; round++) {
      const person = await signInAs(service);
      const answers = await Promise.all([
        refresh(service, person.refreshToken),
        end(service, person),
        refresh(service, person.refreshToken),
      ]);
      for (const { body } of [{ body: person }, answers[0], answers[2]]) {
        expect([how, await isSignedIn(nativeClient(service, body.accessToken))]).toEqual([
          how,
          false,
        ]);
        expect((await refresh(service, String(body.refreshToken))).status).toBe(401);
      }
    }
  }
});
