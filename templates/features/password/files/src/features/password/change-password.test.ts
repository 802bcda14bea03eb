import { expect, test } from 'vitest';
import { browser, type Client, nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  requestResetToken,
  signInWithPassword,
} from '../../../test/password-account.js';
import { startSingleInstance, startTestService } from '../../../test/service.js';

const NEW = 'a password that is new';
const MINUTE = 60_000;

const wrongPassword = {
  error: 'The current password is wrong.',
  code: 'INVALID_CURRENT_PASSWORD',
};

function change(client: Client, currentPassword: unknown, newPassword = NEW) {
  return client.post('/change-password', { currentPassword, newPassword });
}

test('the new password opens the account, the old one does not', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);

  const { status, body } = await change(client, account.password);

  expect([status, body]).toEqual([200, { success: true }]);
  await signInWithPassword(service, { ...account, password: NEW });
  await expect(signInWithPassword(service, account)).rejects.toThrow('INVALID_CREDENTIALS');
});

test('a change ends the other sessions and keeps the one that made it', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const thief = await signInWithPassword(service, account);
  const stranger = await signInWithPassword(service, await createPasswordAccount(service));
  const owner = await signInWithPassword(service, account);

  await change(owner, account.password);

  const { status, body } = await thief.get('/me');
  expect([status, body.code]).toEqual([401, 'SESSION_REVOKED']);
  expect((await owner.get('/me')).status).toBe(200);
  expect((await stranger.get('/me')).status).toBe(200);
});

test('a wrong current password is 400, for at 401 a client would only refresh and try again', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);

  for (const guess of ['a guess', account.password.toUpperCase(), '']) {
    const { status, body } = await change(client, guess);
    expect([status, body]).toEqual([400, wrongPassword]);
  }

  await signInWithPassword(service, account);
});

test('nobody changes a password without a session, whatever else they know', async () => {
  const service = await startTestService();
  const { password } = await createPasswordAccount(service);

  const { status, body } = await change(nativeClient(service), password);

  expect([status, body.code]).toEqual([401, 'INVALID_TOKEN']);
});

test('CSRF: a browser changes it only with the token of its own session', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = browser(service);
  await client.post('/login', account);
  const body = { currentPassword: account.password, newPassword: NEW };

  const forged = await client.post('/change-password', body, { 'x-csrf-token': 'forged' });
  expect([forged.status, forged.body.code]).toEqual([403, 'CSRF_INVALID']);

  expect((await client.post('/change-password', body)).status).toBe(200);
});

test('race: of ten parallel changes exactly one wins', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);
  const rivals = Array.from({ length: 10 }, (_, nth) => `password of rival ${nth}`);

  const answers = await Promise.all(
    rivals.map((password) => change(client, account.password, password)),
  );

  const winner = answers.findIndex(({ status }) => status === 200);
  const losers = answers.toSpliced(winner, 1);
  expect(losers.map(({ status, body }) => [status, body])).toEqual(
    Array(9).fill([400, wrongPassword]),
  );
  await signInWithPassword(service, { ...account, password: rivals[winner] ?? '' });
});

test('guessing: who holds a stolen session has five tries at the password', async () => {
  const service = await startSingleInstance({ RATE_LIMIT: 'on' });
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);
  for (let nth = 0; nth < 5; nth++) expect((await change(client, 'a guess')).status).toBe(400);

  const { status, body, headers } = await change(client, account.password);
  expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(290);

  service.advance(5 * MINUTE + 1000);
  expect((await change(client, account.password)).status).toBe(200);
});

test('a reset link that is under way dies with the old password', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);
  const token = await requestResetToken(service, account.email);

  await change(client, account.password);

  const answer = await client.post('/reset-password', { token, newPassword: 'of a thief' });
  expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_RESET_TOKEN']);
});

test('the owner is told by mail, and listeners by an event', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  await change(await signInWithPassword(service, account), account.password);

  expect(await service.mails()).toMatchObject([
    { to: account.email, subject: 'Your password was changed' },
  ]);
  expect(await service.events()).toContainEqual(
    expect.objectContaining({
      event: 'identity.user.password.changed',
      data: { method: 'change' },
      metadata: expect.objectContaining({ userId: account.id }),
    }),
  );
});

test('a refused change tells nobody', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  await change(await signInWithPassword(service, account), 'a guess');

  expect(await service.mails()).toEqual([]);
  const names = (await service.events()).map(({ event }) => event);
  expect(names).not.toContain('identity.user.password.changed');
});
