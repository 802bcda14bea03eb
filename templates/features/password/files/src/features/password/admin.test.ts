import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { createPasswordAccount, signInWithPassword } from '../../../test/password-account.js';
import { startTestService, type TestService } from '../../../test/service.js';

const ADMIN = fileURLToPath(new URL('../../commands/admin.ts', import.meta.url));
const TSX = import.meta.resolve('tsx');
const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery staple';

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** `npm run admin -- …` on the service's database, with `input` on standard input. */
function admin(service: TestService, args: string[], input = ''): Promise<Outcome> {
  const command = ['--import', TSX, ADMIN, ...args];
  // Elsewhere, so that your `.env` has no say in it.
  const surroundings = { cwd: tmpdir(), env: service.environment };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, surroundings, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

test('`admin create` makes an administrator who signs in with the password given on stdin', async () => {
  const service = await startTestService();

  const created = await admin(
    service,
    ['create', 'ADA@example.com', '--password-stdin'],
    `${PASSWORD}\n`,
  );

  expect(created).toMatchObject({ code: 0, stderr: '' });
  expect(created.stdout).not.toContain(PASSWORD);
  const client = await signInWithPassword(service, { email: EMAIL, password: PASSWORD });
  expect((await client.get('/me')).body).toMatchObject({
    email: EMAIL,
    role: 'admin',
    roles: ['admin'],
    permissions: ['*:*'],
    isEmailVerified: true,
  });
});

test('`admin create` takes over no account that exists', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);

  const { code, stderr } = await admin(
    service,
    ['create', account.email, '--password-stdin'],
    'another password',
  );

  expect(code).toBe(1);
  expect(stderr).toContain('promote it instead');
  const client = await signInWithPassword(service, account);
  expect((await client.get('/me')).body.role).toBe('user');
});

test('`admin create` refuses a password that could not sign in, and an address that is none', async () => {
  const service = await startTestService();

  const outcomes = await Promise.all([
    admin(service, ['create', EMAIL, '--password-stdin'], ''),
    admin(service, ['create', 'not an address', '--password-stdin'], PASSWORD),
    admin(service, ['create', EMAIL, PASSWORD]),
    admin(service, ['create', EMAIL]),
  ]);

  expect(outcomes.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
  // One line for a person, without a stack.
  for (const { stderr } of outcomes) expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(await service.services.users.findByEmail(EMAIL)).toBeUndefined();
});

test('`admin promote` makes an administrator at once, in a session that is open already', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);

  expect(await admin(service, ['promote', account.email])).toMatchObject({
    code: 0,
    stdout: `${account.email} is an administrator now.\n`,
  });

  expect((await client.get('/me')).body).toMatchObject({ role: 'admin', permissions: ['*:*'] });
  const nobody = await admin(service, ['promote', 'nobody@example.com']);
  expect([nobody.code, nobody.stdout]).toEqual([1, '']);
});

test('`admin list` shows every account with its roles and no secret', async () => {
  const service = await startTestService();
  const { id, email } = await createPasswordAccount(service);

  const { code, stdout } = await admin(service, ['list']);

  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^${id}  ${email}  user  \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\n$`));
});

test('BOOTSTRAP_ADMIN_EMAIL and _PASSWORD make the first administrator at the start', async () => {
  const service = await startTestService({
    BOOTSTRAP_ADMIN_EMAIL: EMAIL,
    BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
  });

  const client = await signInWithPassword(service, { email: EMAIL, password: PASSWORD });
  expect((await client.get('/me')).body.role).toBe('admin');
});

test('BOOTSTRAP_ADMIN_* make nobody while there is an administrator, and change no password', async () => {
  const first = await startTestService({
    BOOTSTRAP_ADMIN_EMAIL: EMAIL,
    BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
  });
  const { DATABASE_URL } = first.config;

  const sameAddress = {
    BOOTSTRAP_ADMIN_EMAIL: EMAIL,
    BOOTSTRAP_ADMIN_PASSWORD: 'another password',
  };
  await startTestService({ DATABASE_URL, ...sameAddress });
  const other = { ...sameAddress, BOOTSTRAP_ADMIN_EMAIL: 'other@example.com' };
  const last = await startTestService({ DATABASE_URL, ...other });

  await signInWithPassword(last, { email: EMAIL, password: PASSWORD });
  const refused = await nativeClient(last).post('/login', {
    email: other.BOOTSTRAP_ADMIN_EMAIL,
    password: other.BOOTSTRAP_ADMIN_PASSWORD,
  });
  expect(refused.status).toBe(401);
});

test('BOOTSTRAP_ADMIN_* never promote an account that somebody registered with the address', async () => {
  const first = await startTestService();
  const account = await createPasswordAccount(first, { email: EMAIL });

  const second = await startTestService({
    DATABASE_URL: first.config.DATABASE_URL,
    BOOTSTRAP_ADMIN_EMAIL: EMAIL,
    BOOTSTRAP_ADMIN_PASSWORD: 'another password',
  });

  const client = await signInWithPassword(second, account);
  expect((await client.get('/me')).body.role).toBe('user');
});
