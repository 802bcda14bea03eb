import { Secret } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { sealFor } from '../src/features/data-key/sealed-columns.js';
import { pendingSecret } from '../src/features/totp/codes.js';
import { signInAt, startServiceWith } from './flows/oauth.js';
import { authenticatorCode, enrolTotp } from './flows/totp.js';
import { counterparts } from './oauth/counterparts.js';
import type { SignedIn } from './sign-in-as.js';

describe.each(counterparts)('%s', (_name, start) => {
  test('a second factor that is due is asked for, and its token is in no query string', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const { services } = service;
    const { client: first } = await signInAt(service, counterpart);
    const { sub } = (await first.get('/me')).body;
    const secret = new Secret().base32;
    const sealed = sealFor(services, pendingSecret, sub, secret);
    await services.totp.savePendingSecret(sub, sealed);
    await services.totp.confirm(sub, sealed, sealed, 0);

    const { client, page } = await signInAt(service, counterpart);

    expect(page.href.split('#')[0]).toBe('http://app.test/2fa');
    const fragment = new URLSearchParams(page.hash.slice(1));
    expect(fragment.get('methods')?.split(',')).toContain('totp');
    expect((await client.get('/me')).status).toBe(401);
    const done = await client.post('/2fa/verify', {
      tempToken: fragment.get('tempToken'),
      totpCode: authenticatorCode(secret),
    });
    expect(done.status).toBe(200);
    expect((await client.get('/me')).body.sub).toBe(sub);
  });

  test('attack: a provider that was switched off meanwhile finishes no sign-in', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const { client: first } = await signInAt(service, counterpart);
    const { secret } = await enrolTotp({ client: first } as SignedIn);
    service.advance(60_000);
    const { client, page } = await signInAt(service, counterpart);
    const { config } = service.services;
    for (const name of Object.keys(config))
      if (name.startsWith('OAUTH_')) Object.assign(config, { [name]: undefined });

    const { status, body } = await client.post('/2fa/verify', {
      tempToken: new URLSearchParams(page.hash.slice(1)).get('tempToken'),
      totpCode: authenticatorCode(secret),
    });

    expect([status, body.code]).toEqual([404, 'OAUTH_NOT_CONFIGURED']);
  });

  test('whoever must set up a second factor first gets a token for it, in no query string', async () => {
    const { service, counterpart } = await startServiceWith(start);
    // Not verified: a mail to the address is no second factor.
    counterpart.person = { id: '1', email: 'ada@example.com', isEmailVerified: false };
    await service.services.settings.set('require2FA', true);

    const { client, page } = await signInAt(service, counterpart);

    expect(page.href.split('#')[0]).toBe('http://app.test/login?error=2FA_SETUP_REQUIRED');
    expect((await client.get('/me')).status).toBe(401);
    const tempToken = new URLSearchParams(page.hash.slice(1)).get('tempToken');
    const headers = { authorization: `Bearer ${tempToken}` };
    const user = await service.services.users.findByEmail('ada@example.com');
    await service.services.users.markEmailProven(user?.id ?? '');
    expect((await client.post('/2fa/setup', {}, headers)).status).toBe(200);
    expect((await client.get('/me', headers)).status).toBe(401);
  });
});
