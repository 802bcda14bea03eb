import { expect, test } from 'vitest';
import { createAdmin } from '../src/commands/administrators.js';
import { commandCall } from '../src/commands/command.js';
import { nativeClient } from './client.js';
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

test('the first administrator needs a password of twelve characters', async () => {
  const service = await startTestService();
  const args = ['create', EMAIL, '--password-stdin'];
  const short = 'eleven-char';
  const { code, stderr } = await runCommand(service, 'admin', args, short);
  expect([code, stderr]).toEqual([
    1,
    'This password is not allowed. Use at least 12 characters.\n',
  ]);
  expect(await service.services.users.findByEmail(EMAIL)).toBeUndefined();
  await expect(
    startTestService({ ...FIRST_ADMIN, BOOTSTRAP_ADMIN_PASSWORD: short }),
  ).rejects.toThrow('BOOTSTRAP_ADMIN_PASSWORD must be a password of at least 12 characters');
});

test('`admin promote` makes an administrator at once, in a session that is open already', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);

  // Its output is for people and scripts: events are not logged there.
  const environment = { ...service.environment, LOG_LEVEL: 'info' };
  const ran = await runCommand({ environment }, 'admin', ['promote', account.email]);

  expect(ran.stdout).toBe(`${account.email} is now an administrator.\n`);
  const registered = { email: 'grace@example.com', password: PASSWORD };
  await nativeClient(service).post('/register', registered);
  const { stderr } = await runCommand(service, 'admin', ['promote', registered.email]);
  expect(stderr).toMatch(/^Nobody has proven \S+ yet/);
  expect((await client.get('/me')).body).toMatchObject({ role: 'admin', permissions: ['*:*'] });
});

test('a mistake in a command changes nothing and says why', async () => {
  const service = await startTestService();
  const { webhookConfigs } = service.services;
  const rest = { events: [], allowedActions: [], createdAt: 0, updatedAt: 0 };
  await webhookConfigs.create({ id: 'inbound', provider: 'acme', ...rest });
  const url = 'https://off.example';
  await webhookConfigs.create({ id: 'off', url, isActive: false, ...rest });
  for (const [command, args, message] of [
    ['admin', ['create', EMAIL, '--pasword-stdin'], 'Give one email address.'],
    ['roles', ['take', 'amin', EMAIL], 'There is no role amin.'],
    ['roles', ['save', 'editor'], 'Give permissions, each as <resource>:<action>.'],
    ['webhooks', ['add'], 'Use an http or https URL.'],
    ['webhooks', ['remove', 'inbound'], 'There is no endpoint inbound.'],
    ['webhooks', ['test', 'off'], 'https://off.example is off: events are not sent to it.'],
  ] as const) {
    const { code, stdout, stderr } = await runCommand(service, command, [...args]);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `${message}\n` });
  }
  expect(await webhookConfigs.find('inbound')).toBeDefined();
});

test('`admin list` shows every account with its roles and no secret', async () => {
  const service = await startTestService();
  const { id, email } = await createPasswordAccount(service);

  const { stdout } = await runCommand(service, 'admin', ['list']);

  expect(stdout).toMatch(new RegExp(`^${id}  ${email}  user  \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\n$`));
});
