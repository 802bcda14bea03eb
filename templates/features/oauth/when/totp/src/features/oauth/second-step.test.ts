import { generate, generateSecret } from 'otplib';
import { describe, expect, test } from 'vitest';
import { counterparts } from '../../../test/oauth/counterparts.js';
import { signInAt, startServiceWith } from '../../../test/oauth/sign-in-at.js';
import { sealSecret } from '../totp/check.js';

describe.each(counterparts)('%s', (_name, start) => {
  test('a second factor that is due is asked for, and its token is in no query string', async () => {
    const { service, counterpart } = await startServiceWith(start);
    const { services } = service;
    const { client: first } = await signInAt(service, counterpart);
    const { sub } = (await first.get('/me')).body;
    const secret = generateSecret();
    const sealed = sealSecret(services, sub, secret);
    await services.totp.savePendingSecret(sub, sealed);
    await services.totp.confirm(sub, sealed, 0);

    const { client, page, answer } = await signInAt(service, counterpart);

    expect(page.origin + page.pathname + page.search).toBe('http://app.test/2fa');
    const fragment = new URLSearchParams(page.hash.slice(1));
    expect(fragment.get('methods')?.split(',')).toContain('totp');
    expect(answer.setCookies.map(({ name }) => name)).not.toContain('accessToken');
    expect((await client.get('/me')).status).toBe(401);

    const done = await client.post('/2fa/verify', {
      tempToken: fragment.get('tempToken'),
      totpCode: await generate({ secret }),
    });
    expect(done.status).toBe(200);
    expect((await client.get('/me')).body.sub).toBe(sub);
  });
});
