import bcrypt from 'bcrypt';
import { expect, test, vi } from 'vitest';
import { type Client, nativeClient } from './client.js';
import { createPasswordAccount, signInWithPassword } from './flows/password.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const NEW = 'a password that is new';

const wrongPassword = {
  error: 'The current password is wrong.',
  code: 'INVALID_CURRENT_PASSWORD',
};

function change(client: Client, currentPassword: unknown, newPassword = NEW) {
  return client.post('/change-password', { currentPassword, newPassword });
}

/** After the hash was read, a sign-in rehashes it, as after a raised BCRYPT_COST; or a reset replaces it by `password`. */
function rehashMeanwhile({ services }: TestService, password: string): void {
  const { password: passwords } = services;
  const read = passwords.findHash;
  vi.spyOn(passwords, 'findHash')
    .mockImplementationOnce(read)
    .mockImplementationOnce(async (userId) => {
      const hash = await read(userId);
      await passwords.save(userId, await bcrypt.hash(password, 11));
      return hash;
    });
}

test('race: the right password changes it while its hash is made anew at a higher cost', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const { client } = await signInAs(service, account);
  rehashMeanwhile(service, account.password);

  const { status, body } = await change(client, account.password);

  expect([status, body]).toEqual([200, { success: true }]);
  await signInWithPassword(service, { ...account, password: NEW });
});

test('race: a reset that is faster wins over a change, and over its proof', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const { client } = await signInAs(service, account);
  rehashMeanwhile(service, 'the password of a reset');

  const { status, body } = await change(client, account.password);

  expect([status, body]).toEqual([400, wrongPassword]);
  await signInWithPassword(service, { ...account, password: 'the password of a reset' });
});

test.each([
  ['changes', true],
  ['first passwords', false],
])('race: of ten parallel %s exactly one wins', async (_kind, hasPassword) => {
  const service = await startTestService();
  const { email, password } = await createPasswordAccount(service);
  const { user, client } = await signInAs(service, hasPassword ? { email } : {});
  const rivals = Array.from({ length: 10 }, (_, nth) => `password of rival ${nth}`);

  const current = hasPassword ? password : '';
  const answers = await Promise.all(rivals.map((rival) => change(client, current, rival)));

  const winner = answers.findIndex(({ status }) => status === 200);
  const losers = answers.toSpliced(winner, 1);
  expect(losers.map(({ status, body }) => [status, body])).toEqual(
    Array(9).fill([400, wrongPassword]),
  );
  await signInWithPassword(service, { email: user.email, password: rivals[winner] ?? '' });
});

test('race: a thief whose session ends while the new password is hashed changes nothing', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const thief = await signInWithPassword(service, account);
  const owner = await signInWithPassword(service, account);
  const hash = bcrypt.hash;
  vi.spyOn(bcrypt, 'hash').mockImplementationOnce(async (...of) => {
    expect((await owner.delete('/sessions')).status).toBe(200);
    return hash(...of);
  });

  const { status, body } = await change(thief, account.password);

  expect([status, body.code]).toEqual([401, 'SESSION_REVOKED']);
  await signInWithPassword(service, account);
});

test('race: a sign-in whose password is changed meanwhile is refused, and blocks nobody while it is compared again', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const { client: other } = await signInAs(service);
  const { users, password: passwords } = service.services;
  const findAccount = users.findAccount.bind(users);
  vi.spyOn(users, 'findAccount').mockImplementationOnce(async (id) => {
    await passwords.save(id, await bcrypt.hash(NEW, 10));
    return findAccount(id);
  });
  const compare = bcrypt.compare.bind(bcrypt);
  let compared = 0;
  vi.spyOn(bcrypt, 'compare').mockImplementation(async (value, hash) => {
    compared += 1;
    // On a single connection this would wait for an open transaction, and it for the comparison.
    if (compared === 2) expect((await other.get('/me')).status).toBe(200);
    return compare(value, hash);
  });
  await expect(signInWithPassword(service, account)).rejects.toThrow('INVALID_CREDENTIALS');
  expect(compared).toBe(2);
});

test('race: of two sign-ins the one that loses against the rehash of the other succeeds as well, and adds no guesses', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const account = await createPasswordAccount(service);
  const { users, password: passwords } = service.services;
  const findAccount = users.findAccount.bind(users);
  vi.spyOn(users, 'findAccount').mockImplementationOnce(async (id) => {
    await passwords.save(id, await bcrypt.hash(account.password, 11));
    return findAccount(id);
  });
  await signInWithPassword(service, account);
  const guess = { email: account.email, password: 'wrong' };
  const guesses = Array.from({ length: 6 }, () => nativeClient(service).post('/login', guess));
  expect((await Promise.all(guesses)).map(({ status }) => status)).toContain(429);
});
