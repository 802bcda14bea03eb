import bcrypt from 'bcrypt';
import { expect, test, vi } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  opensWith,
  requestResetToken,
  resetPassword,
} from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';

const HOUR = 60 * 60 * 1000;
const NEW = 'a password that is new';

const invalidLink = { error: 'This link is not valid any more.', code: 'INVALID_RESET_TOKEN' };

test('replay: a token works once', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const token = await requestResetToken(service, account.email);

  await resetPassword(service, token);
  const again = await resetPassword(service, token, 'the password of a thief');

  expect([again.status, again.body]).toEqual([400, invalidLink]);
  expect(await opensWith(service, account, NEW)).toBe(true);
});

test('race: of twenty parallel uses of one token exactly one sets its password', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const token = await requestResetToken(service, account.email);
  const rivals = Array.from({ length: 20 }, (_, nth) => `password of rival ${nth}`);

  const answers = await Promise.all(
    rivals.map((password) => resetPassword(service, token, password)),
  );

  const winner = answers.findIndex(({ status }) => status === 200);
  const losers = answers.toSpliced(winner, 1);
  expect(losers.map(({ status, body }) => [status, body])).toEqual(
    Array(19).fill([400, invalidLink]),
  );
  expect(await opensWith(service, account, rivals[winner] ?? '')).toBe(true);
  const changes = (await service.mails()).filter(({ subject }) => subject.includes('changed'));
  expect(changes).toHaveLength(1);
});

test('a token lives for an hour; an expired one is answered like one that never was', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);

  const late = await requestResetToken(service, account.email);
  service.advance(HOUR + 1000);
  const expired = await resetPassword(service, late);
  const unknown = await resetPassword(service, 'f'.repeat(64));
  expect([expired.status, expired.body]).toEqual([400, invalidLink]);
  expect([unknown.status, unknown.body]).toEqual([400, invalidLink]);

  const inTime = await requestResetToken(service, account.email);
  service.advance(HOUR - 5000);
  expect((await resetPassword(service, inTime)).status).toBe(200);
});

test('a new mail voids the link of an older one', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service);

  const older = await requestResetToken(service, email);
  const newer = await requestResetToken(service, email);

  expect((await resetPassword(service, older)).body.code).toBe('INVALID_RESET_TOKEN');
  expect((await resetPassword(service, newer)).status).toBe(200);
});

test('token type confusion: no other token of the service resets a password', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = nativeClient(service);
  const { body: tokens } = await client.post('/login', account);
  const { oneTimeTokens } = service.services;
  const ofOtherKind = await oneTimeTokens.issue('another-kind', account.id, HOUR);

  for (const token of [tokens.accessToken, tokens.refreshToken, ofOtherKind]) {
    const { status, body } = await resetPassword(service, token);
    expect([status, body]).toEqual([400, invalidLink]);
  }
  expect(await oneTimeTokens.consume('another-kind', ofOtherKind)).toBeDefined();
  expect(await opensWith(service, account, account.password)).toBe(true);
});

test('exhaustion: a made-up token costs no hash, for which sign-ins would have to wait', async () => {
  const service = await startTestService();
  const hash = vi.spyOn(bcrypt, 'hash');

  expect((await resetPassword(service, 'f'.repeat(64))).status).toBe(400);

  expect(hash).not.toHaveBeenCalled();
});

test.each([
  ['missing', undefined],
  ['a number', 1],
  ['a list', ['f'.repeat(64)]],
  ['empty', ''],
])('a token that is %s is a mistake of the request', async (_name, token) => {
  const service = await startTestService();

  const { status, body } = await resetPassword(service, token);

  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
});

test('race: a token that was mailed while the account moved to another address is worth nothing there', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const token = await requestResetToken(service, account.email);
  await service.services.users.changeEmail(account.id, 'new@example.com');

  const { status, body } = await resetPassword(service, token);

  expect([status, body]).toEqual([400, invalidLink]);
  expect(await opensWith(service, { email: 'new@example.com' }, account.password)).toBe(true);
});
