import { expect, test } from 'vitest';
import { type Client, nativeClient } from '../../../test/client.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs, signInBrowserAs } from '../../../test/sign-in-as.js';

const HOUR = 60 * 60 * 1000;
const OLD = 'old@example.com';
const NEW = 'new@example.com';

const invalidLink = {
  error: 'This link is not valid any more.',
  code: 'INVALID_EMAIL_CHANGE_TOKEN',
};

async function tokenFor(service: TestService, client: Client, newEmail = NEW): Promise<string> {
  const { status } = await client.post('/change-email/request', { newEmail });
  expect(status).toBe(200);
  const mail = (await service.mails()).findLast(({ to }) => to === newEmail);
  return mail?.text.match(/http:\/\/app\.test\/change-email\?token=([0-9a-f]{64})/)?.[1] ?? '';
}

function confirm(service: TestService, token: unknown, client = nativeClient(service)) {
  return client.post('/change-email/confirm', { token });
}

test('the link in the new mailbox moves the account there, and the address counts as verified', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: OLD });

  const { status, body } = await confirm(service, await tokenFor(service, client));

  expect([status, body]).toEqual([200, { success: true }]);
  expect((await client.get('/me')).body).toMatchObject({ email: NEW, isEmailVerified: true });
});

test('nothing changes, and nothing is mailed to the old address, before the link is used', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: OLD });

  await tokenFor(service, client);

  expect((await client.get('/me')).body.email).toBe(OLD);
  expect((await service.mails()).map(({ to }) => to)).toEqual([NEW]);
});

test('the old address and listeners are told of the change', async () => {
  const service = await startTestService();
  const { client, user } = await signInAs(service, { email: OLD });
  await confirm(service, await tokenFor(service, client));

  expect((await service.mails()).at(-1)).toMatchObject({
    to: OLD,
    subject: 'The address of your account was changed',
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

test('the other sessions end, the one that asked stays', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: OLD });
  const { client: forgotten } = await signInAs(service, { email: OLD });
  const { client: neighbour } = await signInAs(service);

  await confirm(service, await tokenFor(service, client));

  expect((await client.get('/me')).status).toBe(200);
  expect((await forgotten.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect((await neighbour.get('/me')).status).toBe(200);
});

test('takeover: a thief who was put out does not move the account afterwards', async () => {
  const service = await startTestService();
  const { client: thief, sessionId } = await signInAs(service, { email: OLD });
  const { client: owner } = await signInAs(service, { email: OLD });
  const token = await tokenFor(service, thief);

  await owner.delete(`/sessions/${sessionId}`);

  const { status, body } = await confirm(service, token);
  expect([status, body]).toEqual([400, invalidLink]);
  expect((await owner.get('/me')).body.email).toBe(OLD);
});

test('what else was mailed to the old address opens nothing any more', async () => {
  const service = await startTestService();
  const { client, user } = await signInAs(service, { email: OLD });
  const { oneTimeTokens } = service.services;
  const token = await tokenFor(service, client);
  const mailedBefore = await oneTimeTokens.issue('some-other-kind', user.id, HOUR);

  await confirm(service, token);

  expect(await oneTimeTokens.find('some-other-kind', mailedBefore)).toBeUndefined();
});

test('enumeration: an address in use is answered alike, and only its owner is told', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: OLD });
  await signInAs(service, { email: NEW });

  const { status, body } = await client.post('/change-email/request', { newEmail: NEW });

  expect([status, body]).toEqual([200, { success: true }]);
  const [mail, ...others] = await service.mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: NEW, subject: 'Somebody tried to use your address' });
  expect(mail?.text).not.toContain('token=');
});

test('an address that is taken after the mail stays its new owner’s', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: OLD });
  const token = await tokenFor(service, client);
  await signInAs(service, { email: NEW });

  const { status, body } = await confirm(service, token);

  expect([status, body.code]).toEqual([409, 'EMAIL_IN_USE']);
  expect((await client.get('/me')).body.email).toBe(OLD);
});

test('race: of twenty parallel uses of one token exactly one moves the account', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: OLD });
  const token = await tokenFor(service, client);

  const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(service, token)));

  const losers = answers.filter(({ status }) => status !== 200);
  expect(losers.map(({ status, body }) => [status, body])).toEqual(
    Array(19).fill([400, invalidLink]),
  );
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

test('a link works for an hour, and a new one voids the older', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: OLD });

  const older = await tokenFor(service, client);
  const newer = await tokenFor(service, client, 'newer@example.com');
  expect((await confirm(service, older)).body).toEqual(invalidLink);
  service.advance(HOUR + 1000);
  expect((await confirm(service, newer)).body).toEqual(invalidLink);
  expect((await confirm(service, 'f'.repeat(64))).body).toEqual(invalidLink);
});

test('token type confusion: no other mailed token changes an address', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service, { email: OLD });
  const payload = JSON.stringify({ newEmail: NEW, sessionId: '' });
  const other = await service.services.oneTimeTokens.issue('other', user.id, HOUR, payload);

  expect((await confirm(service, other)).body).toEqual(invalidLink);
});

test('a stolen old session does not suffice: asking takes a recent sign-in', async () => {
  const service = await startTestService({ ACCESS_TOKEN_TTL: '1h' });
  const { client } = await signInAs(service, { email: OLD });
  service.advance(16 * 60 * 1000);

  const { status, body } = await client.post('/change-email/request', { newEmail: NEW });

  expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  expect(await service.mails()).toEqual([]);
});

test('CSRF: another site cannot ask in a signed-in browser; without a session nobody can', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service, { email: OLD });

  const forged = await client.post(
    '/change-email/request',
    { newEmail: NEW },
    { 'x-csrf-token': 'guessed' },
  );
  const anonymous = await nativeClient(service).post('/change-email/request', { newEmail: NEW });

  expect([forged.status, forged.body.code]).toEqual([403, 'CSRF_INVALID']);
  expect([anonymous.status, anonymous.body.code]).toEqual([401, 'INVALID_TOKEN']);
});

test.each([
  ['missing', undefined],
  ['a number', 1],
  ['a list', [NEW]],
  ['no address', 'new.example.com'],
  ['the own one', ' OLD@example.com '],
  ['two lines', 'new@example.com\nbcc: all@example.com'],
  ['with NUL', 'new@exam\0ple.com'],
  ['too long', `${'x'.repeat(250)}@example.com`],
])('a new address that is %s is a mistake of the request', async (_kind, newEmail) => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: OLD });

  const { status, body } = await client.post('/change-email/request', { newEmail });

  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(await service.mails()).toEqual([]);
});

test.each([
  ['missing', undefined],
  ['a number', 1],
  ['empty', ''],
  ['huge', 'f'.repeat(10_000)],
])('a token that is %s is a mistake of the request', async (_kind, token) => {
  const service = await startTestService();

  const { status, body } = await confirm(service, token);

  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
});

test('an account asks once a minute, and one address gets no flood from many accounts', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const { client } = await signInAs(service, { email: OLD });
  const { client: other } = await signInAs(service);

  const statuses: number[] = [];
  for (const each of [client, client, other]) {
    statuses.push((await each.post('/change-email/request', { newEmail: NEW })).status);
  }

  expect(statuses).toEqual([200, 429, 200]);
  expect(await service.mails()).toHaveLength(1);
});
