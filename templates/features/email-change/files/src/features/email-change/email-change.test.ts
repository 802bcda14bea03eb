import { expect, test } from 'vitest';
import { type Client, nativeClient } from '../../../test/client.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs, signInBrowserAs } from '../../../test/sign-in-as.js';

const HOUR = 60 * 60 * 1000;
const OLD = 'old@example.com';
const NEW = 'new@example.com';
const INVALID = 'INVALID_EMAIL_CHANGE_TOKEN';

async function start() {
  const service = await startTestService();
  return { service, ...(await signInAs(service, { email: OLD })) };
}

async function tokenFor(service: TestService, client: Client, newEmail = NEW): Promise<string> {
  const { status } = await client.post('/change-email/request', { newEmail });
  expect(status).toBe(200);
  const mail = (await service.mails()).findLast(({ to }) => to === newEmail);
  return mail?.text.match(/http:\/\/app\.test\/change-email\?token=([0-9a-f]{64})/)?.[1] ?? '';
}

function confirm(service: TestService, token: unknown) {
  return nativeClient(service).post('/change-email/confirm', { token });
}

test('the link in the new mailbox moves the account there, and the address counts as verified', async () => {
  const { service, client, user } = await start();
  const token = await tokenFor(service, client);
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

test('the other sessions end, the one that asked stays; what else was mailed is void', async () => {
  const { service, client, user } = await start();
  const { client: forgotten } = await signInAs(service, { email: OLD });
  const { client: neighbour } = await signInAs(service);
  const { oneTimeTokens } = service.services;
  const token = await tokenFor(service, client);
  const mailedBefore = await oneTimeTokens.issue('some-other-kind', user.id, HOUR);

  await confirm(service, token);

  expect((await client.get('/me')).status).toBe(200);
  expect((await forgotten.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect((await neighbour.get('/me')).status).toBe(200);
  expect(await oneTimeTokens.find('some-other-kind', mailedBefore)).toBeUndefined();
});

test('takeover: a thief who was signed out does not move the account afterwards', async () => {
  const { service, client: thief, sessionId } = await start();
  const { client: owner } = await signInAs(service, { email: OLD });
  const token = await tokenFor(service, thief);

  await owner.delete(`/sessions/${sessionId}`);

  const { status, body } = await confirm(service, token);
  expect([status, body.code]).toEqual([400, INVALID]);
  expect((await owner.get('/me')).body.email).toBe(OLD);
});

test('enumeration: an address in use is answered alike, and only its owner is told', async () => {
  const { service, client } = await start();
  await signInAs(service, { email: NEW });

  const { status, body } = await client.post('/change-email/request', { newEmail: NEW });

  expect([status, body]).toEqual([200, { success: true }]);
  const [mail, ...others] = await service.mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: NEW, name: 'emailChange' });
  expect(mail?.text).not.toContain('token=');
});

test('an address that is taken after the mail stays its new owner’s', async () => {
  const { service, client } = await start();
  const token = await tokenFor(service, client);
  await signInAs(service, { email: NEW });

  const { status, body } = await confirm(service, token);

  expect([status, body.code]).toEqual([409, 'EMAIL_IN_USE']);
  expect((await client.get('/me')).body.email).toBe(OLD);
});

test('race: of twenty parallel uses of one token exactly one moves the account', async () => {
  const { service, client } = await start();
  const token = await tokenFor(service, client);

  const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(service, token)));

  const losers = answers.filter(({ status }) => status !== 200);
  expect(losers.map(({ body }) => body.code)).toEqual(Array(19).fill(INVALID));
});

test('race: of twenty accounts that want one address exactly one gets it', async () => {
  const service = await startTestService();
  const tokens: string[] = [];
  for (let nth = 0; nth < 20; nth++) {
    const { client } = await signInAs(service, { email: `rival-${nth}@example.com` });
    tokens.push(await tokenFor(service, client));
  }

  const answers = await Promise.all(tokens.map((token) => confirm(service, token)));

  const codes = answers.map(({ status, body }) => body.code ?? status);
  expect(codes.filter((code) => code === 200)).toHaveLength(1);
  expect(codes.filter((code) => code === 'EMAIL_IN_USE')).toHaveLength(19);
});

test('a link works for an hour, a new one voids the older, and no other token will do', async () => {
  const { service, client, user } = await start();
  const payload = JSON.stringify({ newEmail: NEW, sessionId: '' });
  const other = await service.services.oneTimeTokens.issue('other', user.id, HOUR, payload);
  const older = await tokenFor(service, client);
  const newer = await tokenFor(service, client, 'newer@example.com');
  for (const token of [older, other, 'f'.repeat(64)]) {
    expect((await confirm(service, token)).body.code).toBe(INVALID);
  }
  service.advance(HOUR + 1000);
  expect((await confirm(service, newer)).body.code).toBe(INVALID);
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

test('what is no new address, or no token, is refused', async () => {
  const { service, client } = await start();
  const broken = 'new@example.com\nbcc: all@example.com';
  for (const newEmail of [undefined, 1, [NEW], 'new.example.com', ' OLD@example.com ', broken]) {
    const { status, body } = await client.post('/change-email/request', { newEmail });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  }
  expect(await service.mails()).toEqual([]);
  for (const token of [undefined, 1, '', 'f'.repeat(10_000)]) {
    expect((await confirm(service, token)).body.code).toBe('VALIDATION_FAILED');
  }
});
