import bcrypt from 'bcrypt';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { type Answer, browser, nativeClient } from '../../../test/client.js';
import { closedGate } from '../../../test/gate.js';
import { inProduction } from '../../../test/in-production.js';
import {
  createPasswordAccount,
  requestResetToken,
  signInWithPassword,
} from '../../../test/password-account.js';
import { policy } from '../../../test/policy.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { readConfig } from '../../config.js';

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

test('truncation: what begins with a password of 72 bytes does not open the account', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service, { password: LONGEST });
  const client = nativeClient(service);

  const longer = await client.post('/login', { email, password: `${LONGEST}!` });
  const shorter = await client.post('/login', { email, password: LONGEST.slice(1) });
  const exact = await client.post('/login', { email, password: LONGEST });

  expect([longer.status, shorter.status, exact.status]).toEqual([400, 401, 200]);
});

test('a hash of a lower cost becomes one of the configured cost at the next sign-in', async () => {
  const service = await startTestService({ BCRYPT_COST: '11' });
  const { password: passwords } = service.services;
  const account = await createPasswordAccount(service);
  await passwords.save(account.id, await bcrypt.hash(account.password, 10));

  await signInWithPassword(service, account);
  await service.idle();

  expect(bcrypt.getRounds((await passwords.findHash(account.id)) ?? '')).toBe(11);
  await signInWithPassword(service, account);
});

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

test('exhaustion: past two hundred that wait, a sign-in is told to come back instead of waiting', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service);
  const gate = closedGate();
  vi.spyOn(bcrypt, 'compare').mockImplementation(async () => {
    await gate.opened;
    return false;
  });
  const refused: Answer[] = [];
  const logins = Array.from({ length: 230 }, async () => {
    const body = { email: 'a@example.com', password: 'a guess' };
    const answer = await nativeClient(service).post('/login', body);
    if (answer.status !== 401) refused.push(answer);
  });

  await vi.waitFor(() => expect(refused.length).toBeGreaterThanOrEqual(26), 20_000);
  expect((await client.get('/me')).status).toBe(200);
  gate.open();
  await Promise.all(logins);

  expect(refused.length).toBeLessThan(30);
  for (const { status, body, headers } of refused) {
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(headers.get('retry-after')).toBe('2');
  }
  vi.restoreAllMocks();
  await signInWithPassword(service, await createPasswordAccount(service));
});

/** Everything the service knows for a moment and must not keep, after a day in the life of an account. */
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
  const lines: string[] = [];
  // Without the redaction of `log.ts`: nothing secret may be handed to the log in the first place.
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const service = await startTestService({}, { log });

  const secrets = await liveThroughADay(service);

  const logged = lines.join('');
  const stored = await everyRow(service);
  const events = JSON.stringify(await service.events());
  expect(logged).toContain('identity.user.password.changed');
  expect(stored).toContain('"hash":"$2b$10$');
  for (const secret of secrets) expect(logged + stored + events).not.toContain(secret);
});

async function everyRow({ services: { db } }: TestService): Promise<string> {
  const tables = await db.introspection.getTables();
  const results = await Promise.all(
    tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(db)),
  );
  return JSON.stringify(results.map(({ rows }) => rows));
}

test('the policy is asked about a changed and a reset password, and a link outlives its refusal', async () => {
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

const { SMTP_URL, ...withoutMail } = inProduction;
const PRODUCTION = {
  ...withoutMail,
  ACCESS_TOKEN_SECRET: 'f2b6e1a98c07d45390ab12cd34ef56718293a4b5c6d7e8f90a1b2c3d4e5f6071',
  REFRESH_TOKEN_SECRET: '0d9c8b7a6f5e4d3c2b1a09f8e7d6c5b4a3928170615243342516a7b8c9dae0b1',
};

test('without a way to mail reset links production does not start', () => {
  expect(() => readConfig(PRODUCTION)).toThrow('SMTP_URL is missing: it is needed in production');
  expect(readConfig({ ...PRODUCTION, NODE_ENV: 'development' }).SMTP_URL).toBeUndefined();
  expect(readConfig({ ...PRODUCTION, SMTP_URL })).toBeTruthy();
});

test.each(['9', '16', 'ten'])('BCRYPT_COST=%s is refused', (cost) => {
  const environment = { ...PRODUCTION, NODE_ENV: 'test', BCRYPT_COST: cost };
  expect(() => readConfig(environment)).toThrow('BCRYPT_COST must be a whole number from 10 to 15');
});
