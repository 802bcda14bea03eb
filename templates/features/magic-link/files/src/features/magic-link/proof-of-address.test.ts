import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { requestMagicLink } from '../../../test/magic-link.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

async function signInByLink(service: TestService, email: string) {
  const token = await requestMagicLink(service, email);
  return nativeClient(service).post('/magic-link/verify', { token });
}

test('the first link that is used verifies the address, the next one does not again', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);

  await signInByLink(service, user.email);
  await signInByLink(service, user.email);

  const verified = (await service.events()).filter(
    ({ event }) => event === 'identity.user.email.verified',
  );
  expect(verified).toMatchObject([{ data: { email: user.email }, metadata: { userId: user.id } }]);
  expect((await service.services.users.findById(user.id))?.emailVerifiedAt).toBeTypeOf('number');
});

test('a link that is asked for verifies nothing', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);

  await requestMagicLink(service, user.email);

  expect((await service.services.users.findById(user.id))?.emailVerifiedAt).toBeNull();
});

test('pre-hijacking: whoever opened the account in wait for its owner is out', async () => {
  const service = await startTestService();
  const thief = await signInAs(service, { email: 'owner@example.com' });

  const owner = await signInByLink(service, 'owner@example.com');

  expect((await thief.client.get('/me')).body.code).toBe('SESSION_REVOKED');
  const stolen = await nativeClient(service).post('/refresh', { refreshToken: thief.refreshToken });
  expect([stolen.status, stolen.body.code]).toEqual([401, 'SESSION_REVOKED']);
  expect((await nativeClient(service, owner.body.accessToken).get('/me')).status).toBe(200);
});

test('whose address was verified before stays signed in elsewhere', async () => {
  const service = await startTestService();
  const { user, client } = await signInAs(service);
  await service.services.users.markEmailVerified(user.id);

  await signInByLink(service, user.email);

  expect((await client.get('/me')).status).toBe(200);
});

test('a wrong link is told to listeners, without the link', async () => {
  const service = await startTestService();
  const token = 'f'.repeat(64);

  await nativeClient(service).post('/magic-link/verify', { token });

  const events = await service.events();
  expect(events).toMatchObject([
    {
      event: 'identity.auth.login.failed',
      data: { method: 'magic-link', reason: 'invalid-link', email: '' },
    },
  ]);
  expect(JSON.stringify(events)).not.toContain(token);
});

test('a stolen database opens nothing: the link is not in it', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  const token = await requestMagicLink(service, user.email);

  const rows = await service.services.db.selectFrom('one_time_tokens').selectAll().execute();

  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(token);
  for (const value of Object.values(rows[0] ?? {})
    .map(String)
    .filter(Boolean)) {
    const answer = await nativeClient(service).post('/magic-link/verify', { token: value });
    expect(answer.body.code).toBe('INVALID_MAGIC_LINK');
  }
});
