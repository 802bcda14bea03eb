import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { requestMagicLink } from '../../../test/magic-link.js';
import { createPasswordAccount } from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';

test('pre-hijacking: the first link removes a password that was set before, unless the address was verified', async () => {
  const service = await startTestService();
  const client = nativeClient(service);
  const hijacked = await createPasswordAccount(service);
  const verified = await createPasswordAccount(service, { email: 'verified@example.com' });
  await service.services.users.markEmailVerified(verified.id);

  for (const account of [hijacked, verified]) {
    const token = await requestMagicLink(service, account.email);
    expect((await client.post('/login', account)).status).toBe(200);
    expect((await client.post('/magic-link/verify', { token })).status).toBe(200);
  }

  const login = await client.post('/login', hijacked);
  expect([login.status, login.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  expect((await client.post('/login', verified)).status).toBe(200);
});
