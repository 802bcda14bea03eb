import { expect, test } from 'vitest';
import { type Client, nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  type PasswordAccount,
  requestResetToken,
  signInWithPassword,
} from '../../../test/password-account.js';
import { startTestService, type TestService } from '../../../test/service.js';

const HOUR = 60 * 60 * 1000;
const NEW = 'a password that is new';

const invalidLink = { error: 'This link is not valid any more.', code: 'INVALID_RESET_TOKEN' };

function reset(client: Client, token: unknown, newPassword = NEW) {
  return client.post('/reset-password', { token, newPassword });
}

async function opens(service: TestService, { email }: PasswordAccount, password: string) {
  return (await nativeClient(service).post('/login', { email, password })).status === 200;
}

test('the token of the mail sets a new password, and the old one opens nothing any more', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const token = await requestResetToken(service, account.email);

  const { status, body } = await reset(nativeClient(service), token);

  expect([status, body]).toEqual([200, { success: true }]);
  expect(await opens(service, account, NEW)).toBe(true);
  expect(await opens(service, account, account.password)).toBe(false);
});

test('replay: a token works once', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const token = await requestResetToken(service, account.email);
  const client = nativeClient(service);

  await reset(client, token);
  const again = await reset(client, token, 'the password of a thief');

  expect([again.status, again.body]).toEqual([400, invalidLink]);
  expect(await opens(service, account, NEW)).toBe(true);
});

test('race: of twenty parallel uses of one token exactly one sets its password', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const token = await requestResetToken(service, account.email);
  const rivals = Array.from({ length: 20 }, (_, nth) => `password of rival ${nth}`);

  const answers = await Promise.all(
    rivals.map((password) => reset(nativeClient(service), token, password)),
  );

  const winner = answers.findIndex(({ status }) => status === 200);
  const losers = answers.toSpliced(winner, 1);
  expect(losers.map(({ status, body }) => [status, body])).toEqual(
    Array(19).fill([400, invalidLink]),
  );
  expect(await opens(service, account, rivals[winner] ?? '')).toBe(true);
  const changes = (await service.mails()).filter(({ subject }) => subject.includes('changed'));
  expect(changes).toHaveLength(1);
});

test('a token lives for an hour; an expired one is answered like one that never was', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = nativeClient(service);

  const late = await requestResetToken(service, account.email);
  service.advance(HOUR + 1000);
  const expired = await reset(client, late);
  const unknown = await reset(client, 'f'.repeat(64));
  expect([expired.status, expired.body]).toEqual([400, invalidLink]);
  expect([unknown.status, unknown.body]).toEqual([400, invalidLink]);

  const inTime = await requestResetToken(service, account.email);
  service.advance(HOUR - 5000);
  expect((await reset(client, inTime)).status).toBe(200);
});

test('a new mail voids the link of an older one', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service);
  const client = nativeClient(service);

  const older = await requestResetToken(service, email);
  const newer = await requestResetToken(service, email);

  expect((await reset(client, older)).body.code).toBe('INVALID_RESET_TOKEN');
  expect((await reset(client, newer)).status).toBe(200);
});

test('a reset ends all sessions: whoever knew the old password is out', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const thief = await signInWithPassword(service, account);
  const owner = await signInWithPassword(service, account);
  const token = await requestResetToken(service, account.email);

  await reset(owner, token);

  for (const client of [thief, owner]) {
    const { status, body } = await client.get('/me');
    expect([status, body.code]).toEqual([401, 'SESSION_REVOKED']);
  }
  const reasons = (await service.events()).flatMap(({ event, data }) =>
    event === 'identity.session.revoked' ? [data] : [],
  );
  expect(reasons).toMatchObject([{ reason: 'password-reset' }, { reason: 'password-reset' }]);
});

test('a reset touches the account of the token and no other', async () => {
  const service = await startTestService();
  const ada = await createPasswordAccount(service);
  const mallory = await createPasswordAccount(service);
  const client = await signInWithPassword(service, ada);
  const token = await requestResetToken(service, mallory.email);

  // The body's further fields, and even Ada's own session, say nothing about whose password it is.
  await client.post('/reset-password', {
    token,
    newPassword: NEW,
    email: ada.email,
    userId: ada.id,
  });

  expect(await opens(service, mallory, NEW)).toBe(true);
  expect(await opens(service, ada, ada.password)).toBe(true);
  expect((await client.get('/me')).status).toBe(200);
});

test('token type confusion: no other token of the service resets a password', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = nativeClient(service);
  const { body: tokens } = await client.post('/login', account);
  const { oneTimeTokens } = service.services;
  const ofOtherKind = await oneTimeTokens.issue('magic-link', account.id, HOUR);

  for (const token of [tokens.accessToken, tokens.refreshToken.slice(0, 512), ofOtherKind]) {
    const { status, body } = await reset(client, token);
    expect(status).toBe(400);
    expect(body.code).toMatch(/^(INVALID_RESET_TOKEN|VALIDATION_FAILED)$/);
  }
  expect(await oneTimeTokens.consume('magic-link', ofOtherKind)).toBeDefined();
  expect(await opens(service, account, account.password)).toBe(true);
});

test('older clients call the new password `password`; if both are sent, `newPassword` counts', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = nativeClient(service);

  const first = await requestResetToken(service, account.email);
  await client.post('/reset-password', { token: first, password: 'by the older name' });
  expect(await opens(service, account, 'by the older name')).toBe(true);

  const second = await requestResetToken(service, account.email);
  await client.post('/reset-password', { token: second, password: 'one', newPassword: NEW });
  expect(await opens(service, account, NEW)).toBe(true);
});

test.each([
  ['missing', undefined],
  ['a number', 1],
  ['a list', ['f'.repeat(64)]],
  ['empty', ''],
])('a token that is %s is a mistake of the request', async (_name, token) => {
  const service = await startTestService();

  const { status, body } = await reset(nativeClient(service), token);

  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
});

test('the owner is told by mail, and listeners by an event, that the password has changed', async () => {
  const service = await startTestService();
  const { id, email } = await createPasswordAccount(service);
  await reset(nativeClient(service), await requestResetToken(service, email));

  expect((await service.mails()).at(-1)).toMatchObject({
    to: email,
    subject: 'Your password was changed',
  });
  expect(await service.events()).toContainEqual(
    expect.objectContaining({
      event: 'identity.user.password.changed',
      data: { method: 'reset' },
      metadata: expect.objectContaining({ userId: id }),
    }),
  );
});

test('who was locked out by wrong guesses gets in again by a reset', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const account = await createPasswordAccount(service);
  const { email } = account;
  const client = nativeClient(service);
  for (let nth = 0; nth < 6; nth++) await client.post('/login', { email, password: 'a guess' });
  expect(await opens(service, account, account.password)).toBe(false);

  await reset(client, await requestResetToken(service, email));

  expect(await opens(service, account, NEW)).toBe(true);
});
