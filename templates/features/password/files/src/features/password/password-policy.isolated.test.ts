import { expect, test, vi } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  requestResetToken,
  signInWithPassword,
} from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';

// A policy of its own: yours may say something else.
vi.mock('../../policy.js', async (original) => ({
  ...(await original<typeof import('../../policy.js')>()),
  passwordProblem: async (password: string) =>
    password.includes('123') ? 'Everybody would guess that.' : undefined,
}));

const refusal = {
  error: 'Some fields are missing or wrong.',
  code: 'VALIDATION_FAILED',
  details: [{ path: 'newPassword', message: 'Everybody would guess that.' }],
};

test('the policy is asked about a changed password', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);

  const { status, body } = await client.post('/change-password', {
    currentPassword: account.password,
    newPassword: 'admin123',
  });

  expect([status, body]).toEqual([400, refusal]);
  await signInWithPassword(service, account);
});

test('the policy is asked about a password that is reset, and the link stays good', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service);
  const token = await requestResetToken(service, email);
  const client = nativeClient(service);

  const { status, body } = await client.post('/reset-password', { token, newPassword: 'admin123' });
  expect([status, body]).toEqual([400, refusal]);

  const second = await client.post('/reset-password', { token, newPassword: 'something better' });
  expect(second.status).toBe(200);
});

test('a password from before a stricter policy still signs in', async () => {
  const service = await startTestService();

  await signInWithPassword(service, await createPasswordAccount(service, { password: 'abc123' }));
});
