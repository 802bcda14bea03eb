import { expect, test } from 'vitest';
import { type Client, nativeClient } from '../../../test/client.js';
import { tokenFor } from '../../../test/flows/email-change.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs, signInBrowserAs } from '../../../test/sign-in-as.js';

const HOUR = 60 * 60 * 1000;

const OLD = 'old@example.com';

const NEW = 'new@example.com';

async function start() {
  const service = await startTestService();
  return { service, ...(await signInAs(service, { email: OLD })) };
}

function confirm(service: TestService, token: unknown) {
  return nativeClient(service).post('/change-email/confirm', { token });
}

test('the link in the new mailbox moves the account there, and the address counts as verified', async () => {
  const { service, client, user } = await start();
  const token = await tokenFor(service, client, NEW);
  expect((await client.get('/me')).body.email).toBe(OLD);
  expect((await service.mails()).map(({ to }) => to)).toEqual([NEW]);

  const { status, body } = await confirm(service, token);

  expect([status, body]).toEqual([200, { success: true }]);
  expect((await client.get('/me')).body).toMatchObject({ email: NEW, isEmailVerified: true });
  expect((await service.mails()).at(-1)).toMatchObject({
    to: OLD,
    name: 'emailChanged',
    text: expect.stringContaining(NEW),
  });
  expect(await service.events()).toContainEqual(
    expect.objectContaining({
      event: 'identity.user.email.changed',
      data: { oldEmail: OLD, newEmail: NEW },
      metadata: expect.objectContaining({ userId: user.id }),
    }),
  );
});

test('the other sessions end, the one that asked stays; earlier mailed links are void', async () => {
  const { service, client, user } = await start();
  const { client: forgotten } = await signInAs(service, { email: OLD });
  const { client: neighbour } = await signInAs(service);
  const { oneTimeTokens } = service.services;
  const token = await tokenFor(service, client, NEW);
  const mailedBefore = await oneTimeTokens.issue('some-other-kind', user.id, HOUR);

  await confirm(service, token);

  expect((await client.get('/me')).status).toBe(200);
  expect((await forgotten.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect((await neighbour.get('/me')).status).toBe(200);
  expect(await oneTimeTokens.find('some-other-kind', mailedBefore)).toBeUndefined();
});

test('enumeration: an address in use is answered alike, and only its owner is notified', async () => {
  const { service, client } = await start();
  await signInAs(service, { email: NEW });

  const { status, body } = await client.post('/change-email/request', { newEmail: NEW });

  expect([status, body]).toEqual([200, { success: true }]);
  const [mail, ...others] = await service.mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: NEW, name: 'emailChange' });
  expect(mail?.text).not.toContain('token=');
});

test('attack: a stolen old session does not suffice, and another site cannot ask', async () => {
  const service = await startTestService({ ACCESS_TOKEN_TTL: '1h' });
  const { client: page } = await signInBrowserAs(service, { email: OLD });
  const ask = (client: Client, headers = {}) =>
    client.post('/change-email/request', { newEmail: NEW }, headers);
  const { client: old } = await signInAs(service, { email: OLD });

  const forged = await ask(page, { 'x-csrf-token': 'guessed' });
  expect([forged.status, forged.body.code]).toEqual([403, 'CSRF_INVALID']);
  expect((await ask(nativeClient(service))).body.code).toBe('INVALID_TOKEN');
  service.advance(16 * 60 * 1000);
  const stale = await ask(old);
  expect([stale.status, stale.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  expect(await service.mails()).toEqual([]);
});
