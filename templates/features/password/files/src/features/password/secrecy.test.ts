import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../../test/client.js';
import { createPasswordAccount, requestResetToken } from '../../../test/password-account.js';
import { startTestService, type TestService } from '../../../test/service.js';

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

test('no password and no token is ever logged, not even at the most talkative level', async () => {
  const lines: string[] = [];
  // Without the redaction of `log.ts`: nothing secret may be handed to the log in the first place.
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const service = await startTestService({}, { log });

  const secrets = await liveThroughADay(service);

  const logged = lines.join('');
  expect(logged).toContain('identity.user.password.changed');
  for (const secret of secrets) expect(logged).not.toContain(secret);
});

test('a failure in the middle of a request logs the error, never what was sent', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const service = await startTestService({}, { log });
  const { email, password } = await createPasswordAccount(service);
  await service.services.db.schema.dropTable('passwords').execute();

  const { status, body } = await nativeClient(service).post('/login', { email, password });

  expect([status, body]).toEqual([
    500,
    { error: 'Something went wrong on our side.', code: 'INTERNAL' },
  ]);
  expect(lines.join('')).toContain('passwords');
  expect(lines.join('')).not.toContain(password);
});

test('a stolen database opens nothing: it holds no password and no token in clear text', async () => {
  const service = await startTestService();
  const secrets = await liveThroughADay(service);

  const stored = await everyRow(service);

  expect(stored).toContain('"hash":"$2b$10$');
  for (const secret of secrets) expect(stored).not.toContain(secret);
});

test('events carry no secret: whoever listens may pass them on', async () => {
  const service = await startTestService();
  const secrets = await liveThroughADay(service);

  const events = JSON.stringify(await service.events());

  for (const secret of secrets) expect(events).not.toContain(secret);
});

async function everyRow({ services: { db } }: TestService): Promise<string> {
  const tables = await db.introspection.getTables();
  const results = await Promise.all(
    tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(db)),
  );
  return JSON.stringify(results.map(({ rows }) => rows));
}
