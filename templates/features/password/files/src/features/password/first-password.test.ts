import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { signInWithPassword } from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

// An account without a password comes from another way to sign in, or from an administrator.

const FIRST = { currentPassword: '', newPassword: 'a first password' };
const MINUTE = 60_000;

test('an account without a password sets one by an empty `currentPassword`', async () => {
  const service = await startTestService();
  const { user, client } = await signInAs(service);

  const { status, body } = await client.post('/change-password', FIRST);

  expect([status, body]).toEqual([200, { success: true }]);
  await signInWithPassword(service, { email: user.email, password: FIRST.newPassword });
});

test('a stolen session cannot set one for good: that needs a sign-in of the last minutes', async () => {
  const service = await startTestService({ REAUTH_WINDOW: '10m' });
  const { user, client } = await signInAs(service);
  service.advance(10 * MINUTE + 1000);

  const { status, body } = await client.post('/change-password', FIRST);

  expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  const login = { email: user.email, password: FIRST.newPassword };
  expect((await nativeClient(service).post('/login', login)).status).toBe(401);
});

test('no current password is right while there is none', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service);

  const change = { ...FIRST, currentPassword: 'a guess' };
  const { status, body } = await client.post('/change-password', change);

  expect([status, body.code]).toEqual([400, 'INVALID_CURRENT_PASSWORD']);
});

test('once there is one, an empty `currentPassword` proves nothing any more', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service);
  await client.post('/change-password', FIRST);

  const change = { ...FIRST, newPassword: 'of a thief' };
  const { status, body } = await client.post('/change-password', change);

  expect([status, body.code]).toEqual([400, 'INVALID_CURRENT_PASSWORD']);
});

test('race: of ten parallel first passwords exactly one is set', async () => {
  const service = await startTestService();
  const { user, client } = await signInAs(service);
  const rivals = Array.from({ length: 10 }, (_, nth) => `password of rival ${nth}`);

  const answers = await Promise.all(
    rivals.map((newPassword) => client.post('/change-password', { ...FIRST, newPassword })),
  );

  const winner = answers.findIndex(({ status }) => status === 200);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
  await signInWithPassword(service, { email: user.email, password: rivals[winner] ?? '' });
});
