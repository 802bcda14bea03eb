import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  requestResetToken,
  signInWithPassword,
} from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';

const NEW = 'new@example.com';

test('after a while the password is asked for, and the right one will do', async () => {
  const service = await startTestService({ ACCESS_TOKEN_TTL: '1h' });
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);
  service.advance(16 * 60 * 1000);
  const ask = (currentPassword?: string) =>
    client.post('/change-email/request', { newEmail: NEW, currentPassword });

  const answers = [await ask(), await ask(''), await ask('a guess'), await ask(account.password)];

  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [403, 'REAUTHENTICATION_REQUIRED'],
    [400, 'PASSWORD_REQUIRED'],
    [400, 'INVALID_CURRENT_PASSWORD'],
    [200, undefined],
  ]);
});

test('attack: a reset link that lies in the old mailbox is void after the change', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);
  const resetToken = await requestResetToken(service, account.email);
  await client.post('/change-email/request', { newEmail: NEW });
  const mail = (await service.mails()).findLast(({ to }) => to === NEW);
  const token = mail?.text.match(/token=([0-9a-f]{64})/)?.[1];

  await client.post('/change-email/confirm', { token });

  const reset = { token: resetToken, newPassword: 'whoever reads the old mail' };
  const { status, body } = await nativeClient(service).post('/reset-password', reset);
  expect([status, body.code]).toEqual([400, 'INVALID_RESET_TOKEN']);
});
