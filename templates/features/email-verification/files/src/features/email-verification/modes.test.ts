import { expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../test/service.js';
import { HttpError } from '../../http/errors.js';
import { requestFacts } from '../../http/request.js';
import { finishLogin } from '../../session/finish-login.js';

const DAY = 24 * 60 * 60 * 1000;

async function openAccount({ services }: TestService): Promise<string> {
  const user = await services.users.create({ email: 'ada@example.com', loginProvider: 'local' });
  if (!user) throw new Error('taken');
  const created = { email: user.email, loginProvider: 'local' };
  services.events.publish('identity.user.created', created, { userId: user.id });
  return user.id;
}

/** `issued`, or the code that the sign-in was refused with. */
async function signIn({ services }: TestService, userId: string): Promise<string> {
  const request = requestFacts({
    method: 'POST',
    params: {},
    search: '',
    ip: '127.0.0.1',
    header: () => undefined,
    readBody: async () => Buffer.alloc(0),
  });
  try {
    await finishLogin(services, request, { userId, method: 'local' });
    return 'issued';
  } catch (error) {
    if (error instanceof HttpError) return error.code;
    throw error;
  }
}

test('none: nobody is asked, nothing is mailed', async () => {
  const service = await startTestService();
  const userId = await openAccount(service);
  expect(await signIn(service, userId)).toBe('issued');
  expect(await service.mails()).toEqual([]);
});

test('strict: no sign-in before the address is verified; the link is mailed again', async () => {
  const service = await startTestService({ EMAIL_VERIFICATION: 'strict' });
  const userId = await openAccount(service);
  expect(await service.mails()).toHaveLength(1);
  expect(await signIn(service, userId)).toBe('EMAIL_NOT_VERIFIED');
  expect(await service.mails()).toHaveLength(2);
  await service.services.users.markEmailVerified(userId);
  expect(await signIn(service, userId)).toBe('issued');
});

test('lazy: a grace period, then no sign-in', async () => {
  const service = await startTestService({
    EMAIL_VERIFICATION: 'lazy',
    EMAIL_VERIFICATION_GRACE: '7d',
  });
  const userId = await openAccount(service);
  expect(await service.mails()).toHaveLength(1);
  expect(await signIn(service, userId)).toBe('issued');
  service.advance(7 * DAY + 1000);
  expect(await signIn(service, userId)).toBe('EMAIL_VERIFICATION_REQUIRED');
  expect(await service.mails()).toHaveLength(2);
});

test('the stored setting wins over the variable, at once; null returns to it', async () => {
  const service = await startTestService({ EMAIL_VERIFICATION: 'strict' });
  const userId = await openAccount(service);
  await service.services.settings.set('emailVerificationMode', 'none');
  expect(await signIn(service, userId)).toBe('issued');
  await service.services.settings.set('emailVerificationMode', null);
  expect(await signIn(service, userId)).toBe('EMAIL_NOT_VERIFIED');
});

test('attack: refused sign-ins cannot be used to flood a mailbox', async () => {
  const service = await startTestService({ EMAIL_VERIFICATION: 'strict', RATE_LIMIT: 'on' });
  const userId = await openAccount(service);
  for (let attempt = 0; attempt < 5; attempt++) await signIn(service, userId);
  expect((await service.mails()).length).toBeLessThanOrEqual(2);
});
