import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  disableAccount,
  signInWithPassword,
} from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';

test('the tokens of a sign-in open the account', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);

  const client = await signInWithPassword(service, account);

  const { body } = await client.get('/me');
  expect(body).toMatchObject({ sub: account.id, email: account.email, loginProvider: 'local' });
});

test.each([
  ['in capitals', 'ADA@EXAMPLE.COM'],
  ['between blanks', '  ada@example.com\t'],
  ['in full-width letters', 'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ'],
])('an address %s is the same address', async (_spelling, email) => {
  const service = await startTestService();
  const { password } = await createPasswordAccount(service, { email: 'ada@example.com' });

  const { status } = await nativeClient(service).post('/login', { email, password });

  expect(status).toBe(200);
});

test('a password is compared as it is: no blank is cut, no letter folded', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service, { password: ' Äpfel und Birnen ' });
  const client = nativeClient(service);

  for (const password of ['Äpfel und Birnen', ' äpfel und birnen ', ' Apfel und Birnen ']) {
    expect((await client.post('/login', { email, password })).status).toBe(401);
  }
  expect((await client.post('/login', { email, password: ' Äpfel und Birnen ' })).status).toBe(200);
});

test('every sign-in opens a session of its own', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);

  const laptop = await signInWithPassword(service, account);
  await signInWithPassword(service, account);

  const { body } = await laptop.get('/sessions');
  expect(body.sessions).toHaveLength(2);
});

test('only the right password learns that an account is disabled', async () => {
  const service = await startTestService();
  const { id, email, password } = await createPasswordAccount(service);
  await disableAccount(service, id);
  const client = nativeClient(service);

  const wrong = await client.post('/login', { email, password: 'a guess' });
  const right = await client.post('/login', { email, password });

  expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  expect([right.status, right.body.code]).toEqual([403, 'ACCOUNT_DISABLED']);
  expect(await service.services.sessions.listOfUser(id)).toEqual([]);
});

test('listeners are told of a sign-in that worked and of one that failed', async () => {
  const service = await startTestService();
  const { id, email, password } = await createPasswordAccount(service);
  const client = nativeClient(service);

  await client.post('/login', { email: email.toUpperCase(), password: 'a guess' });
  await client.post('/login', { email: 'nobody@example.com', password });
  await client.post('/login', { email, password });

  const told = (await service.events()).map(({ event, data, metadata }) => ({
    event,
    data,
    userId: metadata.userId,
  }));
  const failed = (address: string) => ({
    event: 'identity.auth.login.failed',
    data: { method: 'local', reason: 'invalid-credentials', email: address },
  });
  expect(told).toEqual([
    { ...failed(email), userId: id },
    { ...failed('nobody@example.com'), userId: undefined },
    expect.objectContaining({ event: 'identity.session.created', userId: id }),
    { event: 'identity.auth.login.success', data: { method: 'local' }, userId: id },
  ]);
});
