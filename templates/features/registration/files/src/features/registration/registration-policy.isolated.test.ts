import { beforeEach, expect, test, vi } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { signInWithPassword } from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';
import { acceptWith, type RegistrationCallback, reject } from './callback.js';

const ADA = { email: 'ada@example.com', password: 'correct horse battery staple' };

const policy = vi.hoisted(() => ({
  onRegister: undefined as RegistrationCallback | undefined,
  passwordProblem: async (_password: string): Promise<string | undefined> => undefined,
}));

// A policy that each test writes: yours says something else.
vi.mock('../../policy.js', async (original) => ({
  ...(await original<typeof import('../../policy.js')>()),
  get onRegister() {
    return policy.onRegister;
  },
  passwordProblem: (password: string) => policy.passwordProblem(password),
}));

beforeEach(() => {
  policy.onRegister = async () => acceptWith({});
  policy.passwordProblem = async () => undefined;
});

test('a rejection is told in the words of the policy, and makes no account', async () => {
  policy.onRegister = async ({ email }) =>
    email.endsWith('@partner.example') ? acceptWith({}) : reject('Partners only.');
  const service = await startTestService();
  const client = nativeClient(service);

  const rejected = await client.post('/register', ADA);
  const accepted = await client.post('/register', { ...ADA, email: 'ada@partner.example' });

  expect([rejected.status, rejected.body]).toEqual([
    400,
    { error: 'Partners only.', code: 'REGISTRATION_REJECTED' },
  ]);
  expect(accepted.status).toBe(201);
  expect(await service.services.users.findByEmail(ADA.email)).toBeUndefined();
});

test('the policy sees the parsed input: the address in normal form, the other fields apart', async () => {
  const onRegister = vi.fn<RegistrationCallback>(async () => acceptWith({}));
  policy.onRegister = onRegister;
  const service = await startTestService();

  await nativeClient(service).post('/register', {
    ...ADA,
    email: ' ADA@example.com ',
    invitation: 'abc',
    role: 'admin',
  });

  expect(onRegister.mock.calls).toEqual([
    [{ ...ADA, fields: { invitation: 'abc', role: 'admin' } }],
  ]);
});

test('what the policy names reaches the account, and nothing else', async () => {
  policy.onRegister = async ({ fields }) => acceptWith({ company: fields.company });
  const service = await startTestService();

  await nativeClient(service).post('/register', { ...ADA, company: 'Analytical', name: 'Ada' });

  const { body } = await (await signInWithPassword(service, ADA)).get('/me');
  expect(body.metadata).toEqual({ company: 'Analytical' });
});

test('without a callback there is no registration', async () => {
  policy.onRegister = undefined;
  const service = await startTestService();

  const { status, body } = await nativeClient(service).post('/register', ADA);

  expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
});

test('a callback that fails lets nobody in, and what went wrong stays inside', async () => {
  policy.onRegister = async () => {
    throw new Error('the invitations are out of order');
  };
  const service = await startTestService();

  const { status, body } = await nativeClient(service).post('/register', ADA);

  expect([status, body.code]).toEqual([500, 'INTERNAL']);
  expect(JSON.stringify(body)).not.toContain('invitations');
  expect(await service.services.users.findByEmail(ADA.email)).toBeUndefined();
});

test('the password rules of the policy serve registration, too', async () => {
  policy.passwordProblem = async (password) =>
    password.length < 12 ? 'At least 12 characters are needed.' : undefined;
  const service = await startTestService();

  const { status, body } = await nativeClient(service).post('/register', {
    ...ADA,
    password: 'too short',
  });

  expect([status, body]).toEqual([
    400,
    {
      error: 'Some fields are missing or wrong.',
      code: 'VALIDATION_FAILED',
      details: [{ path: 'password', message: 'At least 12 characters are needed.' }],
    },
  ]);
});
