import { expect, test } from 'vitest';
import { existingClient } from './existing-client.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const MINUTE = 60_000;

/** A client that has signed in: it exchanged a refresh token for its cookies. */
async function signedIn() {
  const service = await startTestService();
  const ada = await signInAs(service, { email: 'ada@example.com' });
  const client = existingClient(service);
  const { body } = await client.request('POST', '/refresh', { refreshToken: ada.refreshToken });
  expect(body).toEqual({ success: true });
  return { service, ada, client };
}

test('a client whose access token has ended refreshes and sends its request again', async () => {
  const { service, client } = await signedIn();
  service.advance(16 * MINUTE);
  const { status, body } = await client.request('GET', '/me');
  expect([status, body.email]).toEqual([200, 'ada@example.com']);
  expect(client.state).toEqual({ refreshes: 1, isSignedOut: false });
});

test('five parallel requests whose token has expired are all answered', async () => {
  const { service, client } = await signedIn();
  service.advance(16 * MINUTE);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => client.request('PATCH', '/profile', { name: 'Ada' })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(client.state.isSignedOut).toBe(false);
});

test('a client whose session was ended stops, and does not refresh in a loop', async () => {
  const { service, ada, client } = await signedIn();
  await service.services.sessions.revokeAllOfUser(ada.user.id);
  const { body } = await client.request('GET', '/me');
  expect(body.code).toBe('SESSION_REVOKED');
  expect(client.state).toEqual({ refreshes: 0, isSignedOut: true });
});

test('wrong input signs nobody out: it is never a 401 or 403', async () => {
  const { client } = await signedIn();
  const answers = [
    await client.request('PATCH', '/profile', { name: 7 }),
    await client.request('DELETE', '/sessions/not-a-session'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 404]);
  expect(client.state).toEqual({ refreshes: 0, isSignedOut: false });
});

test('an empty JSON body is enough to log out, and the answer says success', async () => {
  const { client } = await signedIn();
  expect((await client.request('POST', '/logout')).body).toEqual({ success: true });
  await client.request('GET', '/me');
  expect(client.state.isSignedOut).toBe(true);
});
