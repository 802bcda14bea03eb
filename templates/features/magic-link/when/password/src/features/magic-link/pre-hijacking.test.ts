import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { requestMagicLink } from '../../../test/magic-link.js';
import { createPasswordAccount } from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';

test('pre-hijacking: a password that was set before the address was proven opens nothing after', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = nativeClient(service);
  const token = await requestMagicLink(service, account.email);
  expect((await client.post('/login', account)).status).toBe(200);

  expect((await client.post('/magic-link/verify', { token })).status).toBe(200);

  const login = await client.post('/login', account);
  expect([login.status, login.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
});

test('whose address was verified before keeps the password', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  await service.services.users.markEmailVerified(account.id);
  const client = nativeClient(service);
  const token = await requestMagicLink(service, account.email);

  await client.post('/magic-link/verify', { token });

  expect((await client.post('/login', account)).status).toBe(200);
});
