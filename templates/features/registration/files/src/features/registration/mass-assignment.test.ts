import { pino } from 'pino';
import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { createPasswordAccount, signInWithPassword } from '../../../test/password-account.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const MALLORY = { email: 'mallory@example.com', password: 'correct horse battery staple' };

/** Registers with further fields, given as JSON text: an object literal could not hold `__proto__`. */
async function registerWith(service: TestService, fields: string): Promise<void> {
  const { email, password } = MALLORY;
  const body = `{"email":"${email}","password":"${password}",${fields}}`;
  const answer = await nativeClient(service).post('/register', body);
  expect(answer.status).toBe(201);
}

async function profileOfMallory(service: TestService) {
  const { client } = await signInAs(service, { email: MALLORY.email });
  return (await client.get('/me')).body;
}

test.each([
  ['a role', '"role":"admin"'],
  ['roles', '"roles":["admin"],"roleNames":["admin"],"user_roles":[{"role_name":"admin"}]'],
  ['permissions', '"permissions":["*:*"]'],
  ['a verified address', '"isEmailVerified":true,"emailVerified":true'],
  ['a time of verification', '"emailVerifiedAt":1,"email_verified_at":1'],
  ['an enrolment', '"isTotpEnabled":true'],
  ['an id', '"id":"00000000-0000-4000-8000-000000000000","userId":"1","sub":"1"'],
  ['a provider', '"loginProvider":"other","login_provider":"other"'],
  ['a hash', '"hash":"$2b$10$abc","passwordHash":"x"'],
  ['metadata', '"metadata":{"role":"admin","plan":"gold"},"plan":"gold"'],
  ['times', '"createdAt":0,"created_at":0,"disabledAt":1,"disabled_at":1'],
  ['a prototype', '"__proto__":{"role":"admin","isAdmin":true,"firstName":"Eve"}'],
  ['a constructor', '"constructor":{"prototype":{"role":"admin","isAdmin":true}}'],
  ['names that are no text', '"firstName":{"$ne":null},"lastName":["x"],"name":1'],
])('mass assignment: who registers with %s gets an ordinary account', async (_what, fields) => {
  const service = await startTestService();

  await registerWith(service, fields);

  expect(await profileOfMallory(service)).toEqual({
    sub: expect.stringMatching(/^(?!0{8})[0-9a-f]{8}-/),
    email: MALLORY.email,
    role: 'user',
    loginProvider: 'local',
    isEmailVerified: false,
    isTotpEnabled: false,
    metadata: {},
    roles: ['user'],
    permissions: [],
  });
});

test('prototype pollution: no registration changes what other objects are', async () => {
  const service = await startTestService();

  await registerWith(
    service,
    '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}',
  );

  expect({}).not.toHaveProperty('polluted');
  expect([]).not.toHaveProperty('polluted');
});

test('a registration with the id of somebody else leaves that account alone', async () => {
  const service = await startTestService();
  const ada = await createPasswordAccount(service);

  await registerWith(service, `"id":"${ada.id}","userId":"${ada.id}"`);

  expect((await profileOfMallory(service)).sub).not.toBe(ada.id);
  await signInWithPassword(service, ada);
});

test('the password is stored as its hash, and neither stored nor logged as it is', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const service = await startTestService({}, { log });
  await registerWith(service, '"name":"Mallory"');

  const { db } = service.services;
  const users = await db.selectFrom('users').selectAll().execute();
  const passwords = await db.selectFrom('passwords').selectAll().execute();

  expect(passwords[0]?.hash).toMatch(/^\$2b\$10\$/);
  expect(JSON.stringify([users, passwords, lines])).not.toContain(MALLORY.password);
  expect(JSON.stringify(await service.events())).not.toContain(MALLORY.password);
});
