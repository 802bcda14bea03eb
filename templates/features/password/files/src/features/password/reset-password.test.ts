import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test, vi } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { closedGate } from '../../../test/gate.js';
import {
  createPasswordAccount,
  disableAccount,
  opensWith,
  requestResetToken,
  resetPassword,
  signInWithPassword,
} from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';

test('the link is mailed to the address and leads to the front end', async () => {
  const service = await startTestService({ APP_URL: 'https://app.example.com' });
  const { email } = await createPasswordAccount(service);

  const { status, body } = await nativeClient(service).post('/forgot-password', { email });

  expect([status, body]).toEqual([200, { success: true }]);
  const mails = await service.mails();
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ to: email, name: 'passwordReset' });
  const link = /https:\/\/app\.example\.com\/reset-password\?token=[0-9a-f]{64}\b/;
  expect(mails[0]?.text).toMatch(link);
  expect(mails[0]?.html).toMatch(link);
});

test('enumeration: an address without an account is answered alike and mailed nothing', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service);
  const client = nativeClient(service);

  const known = await client.post('/forgot-password', { email });
  const unknown = await client.post('/forgot-password', { email: 'nobody@example.com' });

  expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()]);
  expect((await service.mails()).map(({ to }) => to)).toEqual([email]);
});

test('enumeration by time: the answer waits neither for the look-up nor for the mail', async () => {
  const [lookUp, delivery] = [closedGate(), closedGate()];
  const send = vi.fn(() => delivery.opened);
  const service = await startTestService({}, { mailer: { send } });
  const { email } = await createPasswordAccount(service);
  const { users } = service.services;
  const findByEmail = users.findByEmail;
  vi.spyOn(users, 'findByEmail').mockImplementation(async (address) => {
    await lookUp.opened;
    return findByEmail(address);
  });

  const { status } = await nativeClient(service).post('/forgot-password', { email });

  expect(status).toBe(200);
  expect(send).not.toHaveBeenCalled();
  const sending = service.idle();
  lookUp.open();
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
  delivery.open();
  await sending;
});

test('host header injection: the link never leads where the request says it came to', async () => {
  const service = await startTestService({ APP_URL: 'https://app.example.com' });
  const { email } = await createPasswordAccount(service);

  const sent = request(`${service.url}/auth/forgot-password`, {
    method: 'POST',
    headers: {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example;proto=https',
      referer: 'https://evil.example/',
      'content-type': 'application/json',
    },
  });
  sent.end(JSON.stringify({ email }));
  const [response] = await once(sent, 'response');
  response.resume();

  expect(response.statusCode).toBe(200);
  const [mail] = await service.mails();
  expect(mail?.text).toContain('https://app.example.com/reset-password?token=');
  expect(JSON.stringify(mail)).not.toContain('evil');
});

test('a disabled account is mailed no link, and its request is answered alike', async () => {
  const service = await startTestService();
  const { id, email } = await createPasswordAccount(service);
  await disableAccount(service, id);

  const { status, body } = await nativeClient(service).post('/forgot-password', { email });

  expect([status, body]).toEqual([200, { success: true }]);
  expect(await service.mails()).toEqual([]);
});

test.each([
  ['empty', ''],
  ['a word', 'ada'],
  ['endless', `${'a'.repeat(600)}@example.com`],
])('text that is no address counts as unknown: %s', async (_name, email) => {
  const client = nativeClient(await startTestService());

  const forgotten = await client.post('/forgot-password', { email });
  const signedIn = await client.post('/login', { email, password: 'a guess' });

  expect([forgotten.status, forgotten.body]).toEqual([200, { success: true }]);
  expect([signedIn.status, signedIn.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
});

const NEW = 'a password that is new';

test('a reset sets the new password, ends all sessions and is told', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const thief = await signInWithPassword(service, account);
  const owner = await signInWithPassword(service, account);
  const token = await requestResetToken(service, account.email);

  const { status, body } = await resetPassword(service, token);

  expect([status, body]).toEqual([200, { success: true }]);
  expect(await opensWith(service, account, NEW)).toBe(true);
  expect(await opensWith(service, account, account.password)).toBe(false);
  for (const client of [thief, owner]) {
    const refused = await client.get('/me');
    expect([refused.status, refused.body.code]).toEqual([401, 'SESSION_REVOKED']);
  }
  const told = (await service.events()).filter(({ event }) => /revoked|changed/.test(event));
  expect(told).toMatchObject([
    { data: { reason: 'password-reset' } },
    { data: { reason: 'password-reset' } },
    { data: { method: 'reset' }, metadata: { userId: account.id } },
  ]);
  expect((await service.mails()).at(-1)).toMatchObject({
    to: account.email,
    name: 'passwordChanged',
  });
});

const HOUR = 60 * 60 * 1000;

const invalidLink = { error: 'This link is no longer valid.', code: 'INVALID_RESET_TOKEN' };

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
  const changes = (await service.mails()).filter(({ name }) => name === 'passwordChanged');
  expect(changes).toHaveLength(1);
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

test('race: a token that was mailed while the account moved to another address is worth nothing there', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const token = await requestResetToken(service, account.email);
  await service.services.users.changeEmail(account.id, 'new@example.com');

  const { status, body } = await resetPassword(service, token);

  expect([status, body]).toEqual([400, invalidLink]);
  expect(await opensWith(service, { email: 'new@example.com' }, account.password)).toBe(true);
});
