import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../../test/client.js';
import {
  requestMagicLink,
  sendLink,
  verifyLink,
  withLink,
} from '../../../test/flows/magic-link.js';
import { signInAs, startSignedIn } from '../../../test/sign-in-as.js';

const MINUTE = 60_000;

const invalidLink = { error: 'This link is no longer valid.', code: 'INVALID_MAGIC_LINK' };

test('the token of the link signs in, as `magic-link`, and verifies the address', async () => {
  const { service, ada, token, client } = await withLink();
  expect((await service.services.users.findById(ada.user.id))?.emailVerifiedAt).toBeNull();

  const { status, body, setCookies } = await verifyLink(client, token);

  expect([status, setCookies]).toEqual([200, []]);
  expect(Object.keys(body).sort()).toEqual(['accessToken', 'refreshToken', 'success']);
  const me = await nativeClient(service, body.accessToken).get('/me');
  expect(me.body).toMatchObject({ sub: ada.user.id, isEmailVerified: true });
  const events = (await service.events()).filter(({ event }) => event.startsWith('identity.'));
  expect(events).toContainEqual(
    expect.objectContaining({
      event: 'identity.auth.login.success',
      data: { method: 'magic-link' },
      metadata: expect.objectContaining({ userId: ada.user.id }),
    }),
  );
  const again = await verifyLink(client, token);
  expect([again.status, again.body]).toEqual([400, invalidLink]);
});

test('enumeration: an unknown and a disabled account are answered alike, and mailed nothing', async () => {
  const { service, user: eve } = await startSignedIn();
  await service.services.db.updateTable('users').set({ disabled_at: 1 }).execute();
  const { user: ada } = await signInAs(service);

  const known = await sendLink(service, ada.email);
  for (const email of [eve.email, 'nobody@example.com']) {
    const { status, body, headers } = await sendLink(service, email);
    expect([status, body]).toEqual([known.status, known.body]);
    expect([...headers.keys()]).toEqual([...known.headers.keys()]);
  }
  expect((await service.mails()).map(({ to }) => to)).toEqual([ada.email]);
  expect(await service.services.users.findByEmail('nobody@example.com')).toBeUndefined();
});

test('a link lives for 15 minutes, and a new one voids the older', async () => {
  const { service, ada, token, client } = await withLink();
  service.stopClock();
  const newer = await requestMagicLink(service, ada.user.email);
  expect((await verifyLink(client, token)).body).toEqual(invalidLink);
  service.stopClock(15 * MINUTE - 1000);
  expect((await verifyLink(client, newer)).status).toBe(200);

  const late = await requestMagicLink(service, ada.user.email);
  service.stopClock(15 * MINUTE + 1000);
  expect((await verifyLink(client, late)).body).toEqual(invalidLink);
});

test('attack: neither the visit of a mail scanner nor a page of another origin uses the link', async () => {
  const { service, token } = await withLink();
  const client = browser(service);
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    await client.send(method, `/magic-link/verify?token=${token}`);
  const evil = { origin: 'https://evil.example' };
  const { status, body } = await client.post('/magic-link/verify', { token }, evil);
  expect([status, body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  expect((await client.get('/me')).status).toBe(401);
  expect((await verifyLink(client, token)).status).toBe(200);
});

test('pre-hijacking: the first link signs out a stranger who created the account before its owner', async () => {
  const { service, ada: thief, token, client } = await withLink();
  const owner = await verifyLink(client, token);
  expect((await thief.client.get('/me')).body.code).toBe('SESSION_REVOKED');
  const stolen = await client.post('/refresh', { refreshToken: thief.refreshToken });
  expect([stolen.status, stolen.body.code]).toEqual([401, 'SESSION_REVOKED']);

  await verifyLink(client, await requestMagicLink(service, thief.user.email));
  expect((await nativeClient(service, owner.body.accessToken).get('/me')).status).toBe(200);
  const verified = (await service.events()).filter(({ event }) => event.endsWith('verified'));
  expect(verified).toMatchObject([{ data: { email: thief.user.email } }]);
});
