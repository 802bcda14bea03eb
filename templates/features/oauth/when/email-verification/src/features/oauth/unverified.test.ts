import { describe, expect, test } from 'vitest';
import { counterparts } from '../../../test/oauth/counterparts.js';
import { signInAt, startServiceWith } from '../../../test/oauth/sign-in-at.js';

describe.each(counterparts)('%s', (_name, start, verifies) => {
  test('in strict mode an address that the provider has not proved must be proved first', async () => {
    const { service, counterpart } = await startServiceWith(start, {
      EMAIL_VERIFICATION: 'strict',
    });
    counterpart.person = { id: '1', email: 'ada@example.com', isEmailVerified: false };

    const { page } = await signInAt(service, counterpart);

    expect(page.href).toBe('http://app.test/login?error=EMAIL_NOT_VERIFIED');
    expect((await service.mails()).map(({ name }) => name)).toContain('verification');
  });

  test.runIf(verifies)('one that the provider has proved is proved', async () => {
    const { service, counterpart } = await startServiceWith(start, {
      EMAIL_VERIFICATION: 'strict',
    });

    expect((await signInAt(service, counterpart)).page.href).toBe('http://app.test/');
    expect(await service.mails()).toEqual([]);
  });
});
