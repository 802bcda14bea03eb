import { expect, test } from 'vitest';
import { createAdmin } from '../src/commands/administrators.js';
import { commandCall } from '../src/commands/command.js';
import { createPasswordAccount, signInWithPassword } from './flows/password.js';
import { runCommand } from './process.js';
import { startTestService } from './service.js';

const EMAIL = 'ada@example.com';
/** For the command, which asks your policy. */
const PASSWORD = 'Correct-horse-9-battery-staple!';
const FIRST_ADMIN = {
  BOOTSTRAP_ADMIN_EMAIL: 'Ada@example.com',
  BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
};

test('`admin create` refuses a password in its arguments, and a malformed address', async () => {
  const { services } = await startTestService();
  for (const args of [
    [EMAIL, PASSWORD],
    ['no address', '--password-stdin'],
    [EMAIL, '--force'],
  ]) {
    await expect(createAdmin(commandCall(services, 'admin create', args))).rejects.toThrow();
  }
  expect(await services.users.findByEmail(EMAIL)).toBeUndefined();
});

test.each(['admin', 'eleven-char'])(
  '`admin create` refuses the short password %s',
  async (short) => {
    const service = await startTestService();
    const args = ['create', EMAIL, '--password-stdin'];
    const { code, stderr } = await runCommand(service, 'admin', args, short);
    expect([code, stderr]).toEqual([
      1,
      'This password is not allowed. Use at least 12 characters.\n',
    ]);
    expect(await service.services.users.findByEmail(EMAIL)).toBeUndefined();
    await expect(
      startTestService({ ...FIRST_ADMIN, BOOTSTRAP_ADMIN_PASSWORD: short }),
    ).rejects.toThrow('BOOTSTRAP_ADMIN_PASSWORD must be a password of at least 12 characters');
  },
);

test('`admin promote` makes an administrator at once, in a session that is open already', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);

  // Its output is for people and scripts: events are not logged there.
  const environment = { ...service.environment, LOG_LEVEL: 'info' };
  const { stdout } = await runCommand({ environment }, 'admin', ['promote', account.email]);

  expect(stdout).toBe(`${account.email} is now an administrator.\n`);
  expect((await client.get('/me')).body).toMatchObject({ role: 'admin', permissions: ['*:*'] });
});

test('`admin list` shows every account with its roles and no secret', async () => {
  const service = await startTestService();
  const { id, email } = await createPasswordAccount(service);

  const { stdout } = await runCommand(service, 'admin', ['list']);

  expect(stdout).toMatch(new RegExp(`^${id}  ${email}  user  \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\n$`));
});
