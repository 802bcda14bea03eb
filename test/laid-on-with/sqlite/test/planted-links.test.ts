import { expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { requestMagicLink } from './flows/magic-link.js';
import { createPasswordAccount } from './flows/password.js';
import { startTestService } from './service.js';

test('pre-hijacking: the first link removes a password that was set before, unless the address was proven', async () => {
  const service = await startTestService();
  const client = nativeClient(service);
  const hijacked = await createPasswordAccount(service, { isEmailProven: false });
  const proven = await createPasswordAccount(service);

  for (const account of [hijacked, proven]) {
    const token = await requestMagicLink(service, account.email);
    expect((await client.post('/login', account)).status).toBe(200);
    expect((await client.post('/magic-link/verify', { token })).status).toBe(200);
  }

  const login = await client.post('/login', hijacked);
  expect([login.status, login.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  expect((await client.post('/login', proven)).status).toBe(200);
});
