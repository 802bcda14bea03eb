import { expect, test } from 'vitest';
import { browser, nativeClient } from './client.js';
import { linksOf, linkTokenTo } from './flows/link.js';
import { requestMagicLink } from './flows/magic-link.js';
import { createAccount, signInAt, startServiceWith } from './flows/oauth.js';
import { createPasswordAccount, signInWithPassword } from './flows/password.js';
import { counterparts } from './oauth/counterparts.js';

const EMAIL = 'ada@example.com';

test('attack: a sign-in with an address added to an unproven account does not make the browser its own', async () => {
  for (const [, start, verifies] of counterparts) {
    if (!verifies) continue;
    const { service, counterpart } = await startServiceWith(start);
    const squatter = await createPasswordAccount(service, { email: EMAIL, isEmailProven: false });
    const stranger = await signInWithPassword(service, squatter);
    const other = 'ada@home.example';
    await stranger.post('/link-request', { email: other });
    const ada = browser(service);
    await ada.post('/link-verify', { token: await linkTokenTo(service, other) });
    counterpart.person = { id: '1', email: other, isEmailVerified: true };
    await signInAt(service, counterpart, ada);
    const token = await requestMagicLink(service, EMAIL);
    expect((await ada.post('/magic-link/verify', { token })).status).toBe(200);
    expect((await stranger.get('/me')).status).toBe(401);
    expect((await nativeClient(service).post('/login', squatter)).status).toBe(401);
  }
});

test('attack: the link of a stranger who met the same conflict later is not confirmed in the browser of the owner', async () => {
  for (const [provider, start] of counterparts) {
    const { service, counterpart } = await startServiceWith(start);
    await createAccount(service, EMAIL, true);
    const [owner, stranger] = [browser(service), browser(service)];
    for (const [id, client] of [
      ['1', owner],
      ['666', stranger],
    ] as const) {
      counterpart.person = { id, email: EMAIL, isEmailVerified: false };
      await signInAt(service, counterpart, client);
      await client.post('/link-request', { email: EMAIL, provider });
    }
    const verify = async () =>
      owner.post('/link-verify', {
        token: await linkTokenTo(service, EMAIL),
        loginAfterLinking: true,
      });
    expect((await verify()).body.code).toBe('INVALID_LINK_TOKEN');
    await owner.post('/link-request', { email: EMAIL, provider });
    expect((await verify()).status).toBe(200);
    expect(await linksOf(owner)).toEqual([[provider, '1']]);
  }
});
