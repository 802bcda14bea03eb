import bcrypt from 'bcrypt';
import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  opensWith,
  requestResetToken,
  resetPassword,
  signInWithPassword,
} from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';

const LONGEST = 'x'.repeat(72);

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

const NEW = 'a password that is new';

test('a reset sets the new password, ends all sessions and notifies the owner', async () => {
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

test('truncation: a longer text that begins with a password of 72 bytes does not sign in', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service, { password: LONGEST });
  const client = nativeClient(service);

  const longer = await client.post('/login', { email, password: `${LONGEST}!` });
  const shorter = await client.post('/login', { email, password: LONGEST.slice(1) });
  const exact = await client.post('/login', { email, password: LONGEST });

  expect([longer.status, shorter.status, exact.status]).toEqual([400, 401, 200]);
});

test('a hash of a lower cost becomes one of the configured cost at the next sign-in', async () => {
  const service = await startTestService({ BCRYPT_COST: '11' });
  const { password: passwords } = service.services;
  const account = await createPasswordAccount(service);
  await passwords.save(account.id, await bcrypt.hash(account.password, 10));

  await signInWithPassword(service, account);
  await service.idle();

  expect(bcrypt.getRounds((await passwords.findHash(account.id)) ?? '')).toBe(11);
  await signInWithPassword(service, account);
});
