import { expect, test, vi } from 'vitest';
import { nativeClient } from './client.js';
import { signInWithPassword } from './flows/password.js';
import { ADA, policy } from './policy.js';
import { openLog, startTestService } from './service.js';

test('the password of a registration opens the account, whatever is registered again', async () => {
  const service = await startTestService();
  const client = nativeClient(service);
  expect((await client.post('/register', ADA)).status).toBe(201);
  await client.post('/register', { ...ADA, password: 'the password of a thief' });
  await signInWithPassword(service, ADA);
});

test('race: of twenty parallel registrations of one address exactly one makes the account', async () => {
  const service = await startTestService();
  const rivals = Array.from({ length: 20 }, (_, nth) => ({
    email: nth % 2 === 0 ? 'ada@example.com' : 'ADA@EXAMPLE.COM',
    password: `password of rival ${nth}`,
  }));

  const answers = await Promise.all(
    rivals.map((rival) => nativeClient(service).post('/register', rival)),
  );

  const winner = answers.findIndex(({ status }) => status === 201);
  const losers = answers.toSpliced(winner, 1);
  expect(losers.map(({ status, body }) => [status, body.code])).toEqual(
    Array(19).fill([409, 'USER_EXISTS']),
  );
  expect(await service.services.users.list({ limit: 10, offset: 0 })).toHaveLength(1);
  await signInWithPassword(service, rivals[winner] ?? ADA);
});

test('without the role that the policy gives there is no account, and the log names it', async () => {
  const { log, told } = openLog();
  const service = await startTestService({}, { log });
  const { db, users } = service.services;
  await db.deleteFrom('roles').where('name', '=', 'user').execute();
  const { status, body } = await nativeClient(service).post('/register', ADA);
  expect([status, body.code]).toEqual([500, 'INTERNAL']);
  expect(await users.findByEmail(ADA.email)).toBeUndefined();
  const message = 'There is no role user, which src/policy.ts gives.';
  expect(told(message)).toBe(1);
});

test.each([
  ['a password that the policy refuses', { password: 'too short' }],
  ['no password', { password: undefined }],
])('%s is refused', async (_what, fields) => {
  const service = await startTestService();
  vi.spyOn(policy, 'passwordProblem').mockImplementation(async (password) =>
    password.length < 12 ? 'At least 12 characters are needed.' : undefined,
  );
  const onRegister = vi.spyOn(policy, 'onRegister');
  const { status, body } = await nativeClient(service).post('/register', { ...ADA, ...fields });
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(body.details[0].path).toBe('password');
  expect(onRegister).not.toHaveBeenCalled();
});
