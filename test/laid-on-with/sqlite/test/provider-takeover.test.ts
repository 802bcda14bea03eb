import { describe, expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { linkTokenTo } from './flows/link.js';
import { signInAt, startServiceWith } from './flows/oauth.js';
import {
  createPasswordAccount,
  requestResetToken,
  resetPassword,
  signInWithPassword,
} from './flows/password.js';
import { counterparts } from './oauth/counterparts.js';

const EMAIL = 'ada@example.com';

describe.each(counterparts)('%s', (_name, start, verifies) => {
  test('attack: a password that a stranger set beforehand no longer opens the account', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const unproven = { email: EMAIL, isEmailProven: false };
    const squatted = await createPasswordAccount(service, unproven);
    const squatter = await signInWithPassword(service, squatted);

    const { client, page } = await signInAt(service, counterpart);
    expect(page.pathname).toBe('/account-conflict');
    await client.post('/link-request', { email: EMAIL, provider: counterpart.name });
    const token = await linkTokenTo(service, EMAIL);
    await client.post('/link-verify', { token, loginAfterLinking: true });

    expect((await client.get('/me')).body.sub).toBe(squatted.id);
    expect((await squatter.get('/me')).body.code).toBe('SESSION_REVOKED');
    const again = await nativeClient(service).post('/login', squatted);
    expect([again.status, again.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  });

  test.runIf(verifies)(
    'a password that was set before the provider proved the address goes with the proof',
    async () => {
      const { service, counterpart } = await startServiceWith(start);
      counterpart.person = { id: '1', email: EMAIL, isEmailVerified: false };
      const { client } = await signInAt(service, counterpart);
      const newPassword = 'a password that is new';
      await client.post('/change-password', { currentPassword: '', newPassword });

      counterpart.person = { id: '1', email: EMAIL, isEmailVerified: true };
      await signInAt(service, counterpart);

      const { status } = await nativeClient(service).post('/login', {
        email: EMAIL,
        password: newPassword,
      });
      expect(status).toBe(401);
    },
  );

  test('attack: whoever opened the account with an unproven address is out after a reset', async () => {
    const { service, counterpart } = await startServiceWith(start);
    counterpart.person = { id: '1', email: EMAIL, isEmailVerified: false };
    await signInAt(service, counterpart);

    await resetPassword(service, await requestResetToken(service, EMAIL));

    const { client, page } = await signInAt(service, counterpart);
    expect(page.pathname).toBe('/account-conflict');
    expect((await client.get('/me')).status).toBe(401);
  });

  test.runIf(verifies)(
    'an account with a proven address keeps its password beside the new link',
    async () => {
      const { service, counterpart } = await startServiceWith(start);
      const account = await createPasswordAccount(service, { email: EMAIL });

      const { client } = await signInAt(service, counterpart);

      expect((await client.get('/me')).body.sub).toBe(account.id);
      expect((await nativeClient(service).post('/login', account)).status).toBe(200);
      const unlinked = await client.delete(`/linked-accounts/${counterpart.name}/1`);
      expect(unlinked.status).toBe(200);
    },
  );
});
