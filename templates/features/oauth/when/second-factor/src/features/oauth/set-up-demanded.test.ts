import { describe, expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { counterparts } from '../../../test/oauth/counterparts.js';
import { signInAt, startServiceWith } from '../../../test/oauth/sign-in-at.js';

describe.each(counterparts)('%s', (_name, start) => {
  test('whoever must set up a second factor first is told so, with the token out of sight', async () => {
    const { service, counterpart } = await startServiceWith(start);
    counterpart.person = { id: '1', email: 'ada@example.com', isEmailVerified: false };
    await service.services.settings.set('require2FA', true);

    const { page, answer } = await signInAt(service, counterpart);

    expect(page.origin + page.pathname + page.search).toBe(
      'http://app.test/login?error=2FA_SETUP_REQUIRED',
    );
    const tempToken = new URLSearchParams(page.hash.slice(1)).get('tempToken') ?? '';
    expect(answer.setCookies.map(({ name }) => name)).not.toContain('accessToken');
    expect((await nativeClient(service, tempToken).get('/me')).status).toBe(401);
  });
});
