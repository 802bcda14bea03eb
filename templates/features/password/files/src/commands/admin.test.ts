import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { createPasswordAccount, signInWithPassword } from '../../test/password-account.js';
import { startTestService, type TestService } from '../../test/service.js';
import { listUsers, promoteUser } from './administrators.js';
import { bootstrapAdmin, createAdmin } from './create-admin.js';

const ADMIN = fileURLToPath(new URL('./admin.ts', import.meta.url));
const TSX = import.meta.resolve('tsx');
const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery staple';
const FIRST_ADMIN = {
  BOOTSTRAP_ADMIN_EMAIL: 'Ada@example.com',
  BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
};

/** `npm run admin -- …` on the service's database, with `input` on standard input. */
function admin(service: TestService, args: string[], input: string) {
  const command = ['--import', TSX, ADMIN, ...args];
  // Elsewhere, so that your `.env` has no say in it.
  const surroundings = { cwd: tmpdir(), env: service.environment };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, command, surroundings, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

/** What is printed meanwhile. */
function printed(): () => string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => write.mock.calls.map(([text]) => text).join('');
}

test('`admin create` makes an administrator who signs in with the password given on stdin', async () => {
  const service = await startTestService();
  const args = ['create', 'ADA@example.com', '--password-stdin'];

  const created = await admin(service, args, `${PASSWORD}\n`);

  expect(created).toMatchObject({ code: 0, stderr: '' });
  expect(created.stdout).not.toContain(PASSWORD);
  const client = await signInWithPassword(service, { email: EMAIL, password: PASSWORD });
  expect((await client.get('/me')).body).toMatchObject({
    email: EMAIL,
    role: 'admin',
    permissions: ['*:*'],
    isEmailVerified: true,
  });
});

test('`admin create` refuses a password in its arguments, and an address that is none', async () => {
  const { services } = await startTestService();
  for (const args of [
    [EMAIL, PASSWORD],
    ['no address', '--password-stdin'],
    [EMAIL, '--force'],
  ]) {
    await expect(createAdmin(services, args)).rejects.toThrow();
  }
  expect(await services.users.findByEmail(EMAIL)).toBeUndefined();
});

test('`admin promote` makes an administrator at once, in a session that is open already', async () => {
  const service = await startTestService();
  const output = printed();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);

  await promoteUser(service.services, [account.email]);

  expect(output()).toBe(`${account.email} is an administrator now.\n`);
  expect((await client.get('/me')).body).toMatchObject({ role: 'admin', permissions: ['*:*'] });
  await expect(promoteUser(service.services, ['nobody@example.com'])).rejects.toThrow('no account');
});

test('`admin list` shows every account with its roles and no secret', async () => {
  const service = await startTestService();
  const output = printed();
  const { id, email } = await createPasswordAccount(service);

  await listUsers(service.services, []);

  expect(output()).toMatch(new RegExp(`^${id}  ${email}  user  \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\n$`));
});

test('BOOTSTRAP_ADMIN_* make the first administrator, and no second one at the next start', async () => {
  const service = await startTestService(FIRST_ADMIN);
  const { services } = service;
  const config = { ...services.config, BOOTSTRAP_ADMIN_EMAIL: 'other@example.com' };
  await bootstrapAdmin({ ...services, config });

  const client = await signInWithPassword(service, { email: EMAIL, password: PASSWORD });
  expect((await client.get('/me')).body).toMatchObject({ role: 'admin', isEmailVerified: true });
  expect(await services.users.findByEmail('other@example.com')).toBeUndefined();
});

test('attack: BOOTSTRAP_ADMIN_* never promote an account that somebody registered with the address', async () => {
  const { services } = await startTestService();
  await services.users.create({ email: EMAIL, loginProvider: 'local' });
  await bootstrapAdmin({ ...services, config: { ...services.config, ...FIRST_ADMIN } });
  expect(await services.userRoles.isHeld('admin')).toBe(false);
});
