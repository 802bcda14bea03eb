import { expect, test, vi } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  requestResetToken,
  resetPassword,
} from '../../../test/password-account.js';
import { startSingleInstance } from '../../../test/service.js';

test('race: a sign-in that has verified the old password opens no session after a reset', async () => {
  const service = await startSingleInstance();
  const account = await createPasswordAccount(service);
  const token = await requestResetToken(service, account.email);
  const { users, sessions } = service.services;
  const read = users.findAccount;
  // The old password has been verified by now; the reset is faster with all that is left.
  vi.spyOn(users, 'findAccount').mockImplementationOnce(async (id) => {
    const found = await read(id);
    expect((await resetPassword(service, token)).status).toBe(200);
    return found;
  });
  const { email, password } = account;
  const { status, body } = await nativeClient(service).post('/login', { email, password });
  expect([status, body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  expect(await sessions.listOfUser(account.id)).toEqual([]);
});
