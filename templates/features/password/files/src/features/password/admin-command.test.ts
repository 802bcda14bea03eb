import { expect, test } from 'vitest';
import { runCommand } from '../../../test/command.js';
import { signInWithPassword } from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';
import { bootstrapAdmin } from '../../commands/administrators.js';

const EMAIL = 'ada@example.com';
/** For the command, which asks your policy. */
const PASSWORD = 'Correct-horse-9-battery-staple!';
const FIRST_ADMIN = {
  BOOTSTRAP_ADMIN_EMAIL: 'Ada@example.com',
  BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
};

test('`admin create` makes an administrator who signs in with the password given on stdin', async () => {
  const service = await startTestService();
  const args = ['create', 'ADA@example.com', '--password-stdin'];

  const created = await runCommand(service, 'admin', args, `${PASSWORD}\n`);

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

test('BOOTSTRAP_ADMIN_* create the first administrator, and no second one at the next start', async () => {
  const service = await startTestService(FIRST_ADMIN);
  const { services } = service;
  const config = { ...services.config, BOOTSTRAP_ADMIN_EMAIL: 'other@example.com' };
  await bootstrapAdmin({ ...services, config });

  const client = await signInWithPassword(service, { email: EMAIL, password: PASSWORD });
  expect((await client.get('/me')).body).toMatchObject({ role: 'admin', isEmailVerified: true });
  expect(await services.users.findByEmail('other@example.com')).toBeUndefined();
});

test('attack: BOOTSTRAP_ADMIN_* never promote a registered account with the address', async () => {
  const { services } = await startTestService();
  await services.users.create({ email: EMAIL, loginProvider: 'local' });
  await bootstrapAdmin({ ...services, config: { ...services.config, ...FIRST_ADMIN } });
  expect(await services.userRoles.isHeld('admin')).toBe(false);
});
