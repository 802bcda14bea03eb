import bcrypt from 'bcrypt';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { readConfig } from '../src/config.js';
import { refuse } from '../src/http/errors.js';
import { browser, nativeClient } from './client.js';
import { inProduction } from './environment.js';
import {
  createPasswordAccount,
  opensWith,
  requestResetToken,
  resetPassword,
  signInWithPassword,
} from './flows/password.js';
import { closedGate } from './gate.js';
import { policy } from './policy.js';
import { openLog, startTestService, type TestService } from './service.js';
import { startSignedIn } from './sign-in-as.js';

const LONGEST = 'x'.repeat(72);

const impossible: [string, unknown][] = [
  ['of 73 bytes', 'x'.repeat(73)],
  ['of 73 bytes in 25 characters', `${'€'.repeat(24)}x`],
  ['with a NUL', 'secret\0sauce'],
  ['with half a surrogate pair', 'secret\ud800sauce'],
  ['that is empty', ''],
  ['that is a number', 12345678],
  ['that is a list', ['secret']],
  ['that is null', null],
  ['that is missing', undefined],
];

test('a password that changes while the old one is hashed anew stays changed', async () => {
  const service = await startTestService({ BCRYPT_COST: '11' });
  const { password: passwords } = service.services;
  const account = await createPasswordAccount(service);
  await passwords.save(account.id, await bcrypt.hash(account.password, 10));
  const gate = closedGate();
  const hash = bcrypt.hash;
  vi.spyOn(bcrypt, 'hash').mockImplementationOnce(async (data, cost) => {
    await gate.opened;
    return hash(data, cost);
  });

  await signInWithPassword(service, account);
  const changed = await hash('another password', 11);
  await passwords.save(account.id, changed);
  gate.open();
  await service.idle();

  expect(await passwords.findHash(account.id)).toBe(changed);
});

test('attack: a flood that keeps the service busy locks out no user', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  const account = await createPasswordAccount(service);
  const client = nativeClient(service);
  const compare = vi.spyOn(bcrypt, 'compare').mockRejectedValue(refuse('UNAVAILABLE'));
  for (let nth = 1; nth <= 8; nth++) {
    const from = { 'x-forwarded-for': `198.18.0.${nth}` };
    expect((await client.post('/login', account, from)).status).toBe(503);
  }
  compare.mockRestore();
  await signInWithPassword(service, account);
});

/** All secrets that the service must not keep, after typical use of an account. */
async function liveThroughADay(service: TestService): Promise<string[]> {
  const account = await createPasswordAccount(service, { password: 'the first password' });
  const { email, password } = account;
  const client = nativeClient(service);
  await client.post('/login', { email, password: 'a wrong password' });
  const { body: tokens } = await client.post('/login', { email, password });
  const web = browser(service);
  await web.post('/login', { email, password });
  const bearer = nativeClient(service, tokens.accessToken);
  await bearer.post('/change-password', {
    currentPassword: 'a wrong proof',
    newPassword: 'the second password',
  });
  await bearer.post('/change-password', {
    currentPassword: password,
    newPassword: 'the second password',
  });
  const used = await requestResetToken(service, email);
  await client.post('/reset-password', { token: used, newPassword: 'the third password' });
  const pending = await requestResetToken(service, email);
  await client.post('/reset-password', { token: `${pending}0`, newPassword: 'a password in vain' });
  return [
    ...[password, 'a wrong password', 'a wrong proof', 'a password in vain'],
    ...['the second password', 'the third password'],
    ...[used, pending, tokens.accessToken, tokens.refreshToken, ...web.cookies.values()],
  ];
}

test('a day in the life of an account leaves no secret in the log, the database or the events', async () => {
  // Without the redaction of `log.ts`: no secret may be passed to the log in the first place.
  const { log, lines } = openLog('trace');
  const service = await startTestService({}, { log });

  const secrets = await liveThroughADay(service);

  const logged = lines.join('');
  const stored = await everyRow(service);
  const events = JSON.stringify(await service.events());
  expect(logged).toContain('identity.user.password.changed');
  expect(stored).toContain('"hash":"$2b$');
  for (const secret of secrets) expect(logged + stored + events).not.toContain(secret);
});

async function everyRow({ services: { db } }: TestService): Promise<string> {
  const tables = await db.introspection.getTables();
  const results = await Promise.all(
    tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(db)),
  );
  return JSON.stringify(results.map(({ rows }) => rows));
}

const { SMTP_URL, ...PRODUCTION } = inProduction;

test('without a way to mail reset links production does not start', () => {
  expect(() => readConfig(PRODUCTION)).toThrow('SMTP_URL is missing: it is needed in production');
  expect(readConfig({ ...PRODUCTION, NODE_ENV: 'development' }).SMTP_URL).toBeUndefined();
  expect(readConfig({ ...PRODUCTION, SMTP_URL })).toBeTruthy();
});

test.each(['9', '16', 'ten'])('BCRYPT_COST=%s is refused', (cost) => {
  const environment = { ...PRODUCTION, NODE_ENV: 'test', BCRYPT_COST: cost };
  expect(() => readConfig(environment)).toThrow('BCRYPT_COST must be a whole number from 10 to 15');
});

test('enumeration by time: the answer waits neither for the look-up nor for the mail', async () => {
  const [lookUp, delivery] = [closedGate(), closedGate()];
  const send = vi.fn(() => delivery.opened);
  const service = await startTestService({}, { mailer: { send } });
  const { email } = await createPasswordAccount(service);
  const { users } = service.services;
  const findByEmail = users.findByEmail;
  vi.spyOn(users, 'findByEmail').mockImplementation(async (address) => {
    await lookUp.opened;
    return findByEmail(address);
  });

  const { status } = await nativeClient(service).post('/forgot-password', { email });

  expect(status).toBe(200);
  expect(send).not.toHaveBeenCalled();
  const sending = service.idle();
  lookUp.open();
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce(), 30_000);
  delivery.open();
  await sending;
});

const invalidLink = { error: 'This link is no longer valid.', code: 'INVALID_RESET_TOKEN' };

test('race: a token that was mailed while the account moved to another address is worth nothing there', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const token = await requestResetToken(service, account.email);
  await service.services.users.changeEmail(account.id, 'new@example.com');

  const { status, body } = await resetPassword(service, token);

  expect([status, body]).toEqual([400, invalidLink]);
  expect(await opensWith(service, { email: 'new@example.com' }, account.password)).toBe(true);
});

test('the policy checks a changed and a reset password, and a link outlives its refusal', async () => {
  const service = await startTestService();
  vi.spyOn(policy, 'passwordProblem').mockImplementation(async (password) =>
    password.includes('123') ? 'Everybody would guess that.' : undefined,
  );
  // A password from before a stricter policy still signs in.
  const account = await createPasswordAccount(service, { password: 'abc123' });
  const client = await signInWithPassword(service, account);
  const token = await requestResetToken(service, account.email);
  const refusal = {
    error: 'Some fields are missing or wrong.',
    code: 'VALIDATION_FAILED',
    details: [{ path: 'newPassword', message: 'Everybody would guess that.' }],
  };

  const newPassword = 'admin123';
  const change = { currentPassword: account.password, newPassword };
  expect((await client.post('/change-password', change)).body).toEqual(refusal);
  expect((await client.post('/reset-password', { token, newPassword })).body).toEqual(refusal);
  const better = { token, newPassword: 'something better' };
  expect((await client.post('/reset-password', better)).status).toBe(200);
});

test.each(impossible)('a password %s is refused by login', async (_name, password) => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service);

  const { status, body } = await nativeClient(service).post('/login', { email, password });

  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(body.details).toEqual([{ path: 'password', message: expect.any(String) }]);
});

test('such a password is refused by reset, and the link stays good', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service);
  const token = await requestResetToken(service, email);
  const client = nativeClient(service);

  for (const [name, newPassword] of impossible) {
    const { status, body } = await client.post('/reset-password', { token, newPassword });
    expect([name, status, body.code]).toEqual([name, 400, 'VALIDATION_FAILED']);
    expect(body.details).toEqual([{ path: 'newPassword', message: expect.any(String) }]);
  }

  const { status } = await client.post('/reset-password', { token, newPassword: LONGEST });
  expect(status).toBe(200);
});

test('truncation: a longer text that begins with the password proves nothing, not even where a body may hold anything', async () => {
  const service = await startTestService({ REAUTH_WINDOW: '10m' });
  for (const [password, longer] of [
    [LONGEST, `${LONGEST}!`],
    ['secret', 'secret\0sauce'],
  ] as const) {
    const account = await createPasswordAccount(service, { password });
    const client = await signInWithPassword(service, account);

    const { status, body } = await client.delete('/account', { currentPassword: longer });

    expect([status, body.code]).toEqual([400, 'INVALID_CURRENT_PASSWORD']);
    expect(await opensWith(service, account, password)).toBe(true);
  }
});

test('an account without a password refuses one that is sent, and sets none', async () => {
  const { service, user, client } = await startSignedIn();
  const newPassword = 'a first password';

  const { status, body } = await client.post('/change-password', {
    currentPassword: 'made up',
    newPassword,
  });

  expect([status, body.code]).toEqual([400, 'INVALID_CURRENT_PASSWORD']);
  expect(await opensWith(service, user, newPassword)).toBe(false);
});
