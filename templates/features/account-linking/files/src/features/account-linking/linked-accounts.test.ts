import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { accountAt, EMAIL, linksOf } from '../../../test/linking.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

test('a link is removed, and its owner and listeners are told', async () => {
  const service = await startTestService();
  const { client, user } = await signInAs(service, { email: EMAIL });
  const { accountLinking } = service.services;
  await accountLinking.add(user.id, accountAt('acme', '1'));
  await accountLinking.add(user.id, accountAt('acme', 'auth0|2 %/ü'));

  const path = `/linked-accounts/acme/${encodeURIComponent('auth0|2 %/ü')}`;
  const { status, body } = await client.delete(path);

  expect([status, body]).toEqual([200, { success: true }]);
  expect(await linksOf(client)).toEqual([['acme', '1']]);
  expect((await service.mails()).map(({ name }) => name)).toEqual(['accountUnlinked']);
  expect(await service.events()).toContainEqual(
    expect.objectContaining({
      event: 'identity.user.unlinked',
      data: { provider: 'acme', providerAccountId: 'auth0|2 %/ü' },
    }),
  );
});

test("attack: unlinking somebody else's account is answered like one that does not exist", async () => {
  const service = await startTestService();
  const { user } = await signInAs(service, { email: EMAIL });
  await service.services.accountLinking.add(user.id, accountAt('acme', '1'));
  const { client: thief } = await signInAs(service);

  for (const path of [
    'acme/1',
    'acme/none',
    'none/1',
    '%00/1',
    'acme/%00',
    `acme/${'x'.repeat(300)}`,
  ]) {
    const { status, body } = await thief.delete(`/linked-accounts/${path}`);
    expect([path, status, body.code]).toEqual([path, 404, 'NOT_FOUND']);
  }
  expect(await service.services.accountLinking.find('acme', '1')).toBeDefined();
});

test('removing a link takes a recent sign-in', async () => {
  const service = await startTestService({ ACCESS_TOKEN_TTL: '1h' });
  const { client, user } = await signInAs(service, { email: EMAIL });
  await service.services.accountLinking.add(user.id, accountAt('acme', '1'));
  service.advance(16 * 60 * 1000);

  const { status, body } = await client.delete('/linked-accounts/acme/1');

  expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
});

test('a list holds your own links only', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  await service.services.accountLinking.add(user.id, accountAt('acme', '1'));
  const { client } = await signInAs(service);

  expect(await linksOf(client)).toEqual([]);
  expect((await nativeClient(service).get('/linked-accounts')).body.code).toBe('INVALID_TOKEN');
});
