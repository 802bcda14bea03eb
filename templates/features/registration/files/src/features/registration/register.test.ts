import { expect, test, vi } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { ADA, policy } from '../../../test/policy.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { acceptWith, reject } from './decision.js';

test('registering creates an account', async () => {
  const service = await startTestService();

  const { status, body } = await nativeClient(service).post('/register', {
    ...ADA,
    firstName: 'Ada',
    lastName: 'Lovelace',
  });

  expect([status, body]).toEqual([201, { success: true, userId: expect.any(String) }]);
  const { client } = await signInAs(service, { email: ADA.email });
  expect((await client.get('/me')).body).toEqual({
    sub: body.userId,
    email: 'ada@example.com',
    role: 'user',
    loginProvider: 'local',
    isEmailVerified: false,
    isTotpEnabled: false,
    metadata: { firstName: 'Ada', lastName: 'Lovelace' },
    roles: ['user'],
    permissions: [],
  });
});

test('REGISTRATION=off removes the route', async () => {
  const service = await startTestService({ REGISTRATION: 'off' });
  const { body: page } = await nativeClient(service).get('/ui/config');
  expect(page.features.register).toBe(false);

  const { status, body } = await nativeClient(service).post('/register', ADA);

  expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
});

test('the policy decides from the parsed input who may register and what is stored', async () => {
  const service = await startTestService();
  const client = nativeClient(service);
  const onRegister = vi.spyOn(policy, 'onRegister');
  onRegister.mockImplementation(async ({ email, fields }) =>
    email.endsWith('@partner.example')
      ? acceptWith({ company: fields.company })
      : reject('Partners only.'),
  );

  const rejected = await client.post('/register', {
    ...ADA,
    email: ' ADA@example.com ',
    role: 'x',
  });
  expect([rejected.status, rejected.body]).toEqual([
    400,
    { error: 'Partners only.', code: 'REGISTRATION_REJECTED' },
  ]);
  const parsed = { email: ADA.email, fields: expect.objectContaining({ role: 'x' }) };
  expect(onRegister).toHaveBeenCalledWith(expect.objectContaining(parsed));
  expect(await service.services.users.findByEmail(ADA.email)).toBeUndefined();

  const partner = { ...ADA, email: 'ada@partner.example' };
  await client.post('/register', { ...partner, company: 'Analytical', name: 'Ada' });
  const { client: member } = await signInAs(service, { email: partner.email });
  const { body } = await member.get('/me');
  expect(body.metadata).toEqual({ company: 'Analytical' });
});
