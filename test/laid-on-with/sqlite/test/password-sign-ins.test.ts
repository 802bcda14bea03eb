import bcrypt from 'bcrypt';
import Database from 'libsql';
import { expect, test, vi } from 'vitest';
import { browser, nativeClient } from './client.js';
import {
  createPasswordAccount,
  disableAccount,
  type PasswordAccount,
  requestResetToken,
  resetPassword,
  signInWithPassword,
} from './flows/password.js';
import { openLog, startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const GUESS = 'a guess';

/** An address with a password, one whose account has none, and one that nobody has. */
async function threeAddresses(service: TestService) {
  const known = (await createPasswordAccount(service)).email;
  const passwordless = (await signInAs(service)).user.email;
  return { known, passwordless, unknown: 'nobody@example.com' };
}

test('enumeration by work: for every account and for none, one hash is looked up, and one of the configured cost computed', async () => {
  const service = await startTestService({ BCRYPT_COST: '11' });
  const addresses = await threeAddresses(service);
  const compare = vi.spyOn(bcrypt, 'compare');
  const findHash = vi.spyOn(service.services.password, 'findHash');

  for (const email of Object.values(addresses)) {
    compare.mockClear();
    findHash.mockClear();
    await nativeClient(service).post('/login', { email, password: GUESS });

    expect(findHash).toHaveBeenCalledOnce();
    expect(compare).toHaveBeenCalledOnce();
    const [password, hash] = compare.mock.calls[0] ?? [];
    expect(password).toBe(GUESS);
    expect(bcrypt.getRounds(hash ?? '')).toBe(11);
  }
});

test.each([
  [4, '$2b$'],
  [10, '$2y$'],
])(
  'enumeration by work: a hash of cost %i, %s, takes as much work as one of today',
  async (cost, prefix) => {
    const service = await startTestService({ BCRYPT_COST: '11' });
    const { id, email, password } = await createPasswordAccount(service);
    const hash = (await bcrypt.hash(password, cost)).replace('$2b$', prefix);
    const compare = vi.spyOn(bcrypt, 'compare');
    for (const typed of [GUESS, password]) {
      await service.services.password.save(id, hash);
      compare.mockClear();
      const { status } = await nativeClient(service).post('/login', { email, password: typed });
      expect(status).toBe(typed === password ? 200 : 401);
      await service.idle();
      const work = compare.mock.calls.map(([, each]) => 2 ** bcrypt.getRounds(each));
      expect(work.reduce((sum, each) => sum + each)).toBe(2 ** 11);
    }
    // The correct password causes a rehash.
    expect(bcrypt.getRounds((await service.services.password.findHash(id)) ?? '')).toBe(11);
  },
);

test.each([
  '',
  '!',
  '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA',
  `$2x$12$${'.'.repeat(53)}`,
  '$2b$12$cut',
])(
  'enumeration by errors and time: a stored hash that bcrypt cannot compare, such as %j, matches no password',
  async (hash) => {
    const service = await startTestService();
    const { id, email, password } = await createPasswordAccount(service);
    await service.services.password.save(id, hash);
    const compare = vi.spyOn(bcrypt, 'compare');
    const { body } = await nativeClient(service).post('/login', { email, password });
    expect(body.code).toBe('INVALID_CREDENTIALS');
    // Another hash takes no time at all.
    expect(compare).toHaveBeenCalledExactlyOnceWith(
      password,
      expect.stringMatching(/^\$2b\$04\$.{53}$/),
    );
  },
);

test('an outage of the database uses up no guess', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const { email, password } = await createPasswordAccount(service);
  const full = new Database.SqliteError('database or disk is full', 'SQLITE_FULL', 13);
  const find = vi.spyOn(service.services.users, 'findByEmail').mockRejectedValue(full);
  const client = nativeClient(service);
  for (let nth = 0; nth < 6; nth++) {
    expect((await client.post('/login', { email, password })).status).toBe(503);
  }
  find.mockRestore();
  expect((await client.post('/login', { email, password })).status).toBe(200);
});

test('race: the right password signs in while its hash is made anew at a higher cost', async () => {
  const service = await startTestService();
  const { id, email, password } = await createPasswordAccount(service);
  const { users, password: passwords } = service.services;
  const read = users.findAccount;
  vi.spyOn(users, 'findAccount').mockImplementationOnce(async (userId) => {
    await passwords.save(id, await bcrypt.hash(password, 11));
    return read(userId);
  });
  const { status } = await nativeClient(service).post('/login', { email, password });
  expect(status).toBe(200);
});

test('race: a sign-in that has verified the old password opens no session after a reset', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const token = await requestResetToken(service, account.email);
  const { users, sessions } = service.services;
  const read = users.findAccount;
  // The old password is verified already; the reset finishes before the sign-in does.
  vi.spyOn(users, 'findAccount').mockImplementationOnce(async (id) => {
    const found = await read(id);
    expect((await resetPassword(service, token)).status).toBe(200);
    return found;
  });
  const { email, password } = account;
  const { status, body } = await nativeClient(service).post('/login', { email, password });
  expect([status, body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  expect(await sessions.listOfUser(account.id)).toEqual([]);
});

/** The body of a sign-in by the form. */
const formOf = ({ email, password }: PasswordAccount) => ({ email, password });

test('shared browser: the second person who signs in ends the session of the first, and no other', async () => {
  const service = await startTestService();
  const [ada, eve] = [await createPasswordAccount(service), await createPasswordAccount(service)];
  const elsewhere = await signInWithPassword(service, ada);
  const client = browser(service);
  await client.post('/login', formOf(ada));
  const ofAda = nativeClient(service, client.cookies.get('accessToken'));
  const refreshToken = client.cookies.get('refreshToken');

  // Without the access token, as some minutes later.
  client.cookies.delete('accessToken');
  expect((await client.post('/login', formOf(eve))).status).toBe(200);

  expect((await ofAda.get('/me')).body.code).toBe('SESSION_REVOKED');
  const refreshed = await nativeClient(service).post('/refresh', { refreshToken });
  expect(refreshed.body.code).toBe('SESSION_REVOKED');
  expect((await client.get('/me')).body.email).toBe(eve.email);
  expect((await elsewhere.get('/me')).status).toBe(200);
  const events = await service.events();
  expect(events.filter(({ event }) => event === 'identity.session.revoked')).toMatchObject([
    { data: { reason: 'replaced' }, metadata: { userId: ada.id }, origin: { actor: eve.id } },
  ]);
});

test('only a sign-in that sets cookies ends a session, and only one whose tokens are genuine', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = browser(service);
  await client.post('/login', formOf(account));
  await client.post('/login', { ...formOf(account), password: GUESS });
  await client.post('/login', formOf(account), { 'x-auth-strategy': 'bearer' });
  const authorization = `Bearer ${client.cookies.get('accessToken')}`;
  expect((await browser(service).post('/login', formOf(account), { authorization })).status).toBe(
    200,
  );
  expect((await client.get('/me')).status).toBe(200);

  const forger = browser(service);
  for (const [name, value] of client.cookies) forger.cookies.set(name, `${value}x`);
  expect((await forger.post('/login', formOf(account))).status).toBe(200);
  expect((await client.get('/me')).status).toBe(200);
});

test('race: of a sign-in and a sign-out at once in one browser the new session stays, and the old one ends once', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  for (let round = 0; round < 5; round += 1) {
    const client = browser(service);
    await client.post('/login', formOf(account));
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const [login, logout] = await Promise.all([
      browser(service).post('/login', formOf(account), { cookie }),
      browser(service).post('/logout', {}, { cookie }),
    ]);
    expect([login.status, logout.status]).toEqual([200, 200]);
    expect(await service.services.sessions.listOfUser(account.id)).toHaveLength(round + 1);
  }
  const events = await service.events();
  expect(events.filter(({ event }) => event === 'identity.session.revoked')).toHaveLength(5);
});

test('a sign-in that succeeds and one that fails each emit an event', async () => {
  const service = await startTestService();
  const { id, email, password } = await createPasswordAccount(service);
  const client = nativeClient(service);

  await client.post('/login', { email: email.toUpperCase(), password: 'a guess' });
  await service.idle();
  await client.post('/login', { email: 'nobody@example.com', password });
  await service.idle();
  await client.post('/login', { email, password });

  const told = (await service.events()).map(({ event, data, metadata }) => ({
    event,
    data,
    userId: metadata.userId,
  }));
  const failed = (address: string) => ({
    event: 'identity.auth.login.failed',
    data: { method: 'local', reason: 'INVALID_CREDENTIALS', email: address },
  });
  expect(told).toEqual([
    { ...failed(email), userId: id },
    { ...failed(''), userId: undefined },
    expect.objectContaining({ event: 'identity.session.created', userId: id }),
    { event: 'identity.auth.login.success', data: { method: 'local' }, userId: id },
  ]);
});

test('a failed sign-in is logged as one line with the request, the method, the reason and the IP', async () => {
  const { log, lines } = openLog();
  const service = await startTestService({ RATE_LIMIT: 'on' }, { log });
  const { id, email, password } = await createPasswordAccount(service);
  const client = nativeClient(service);
  const typed = 'my secret password';
  const foreign = { origin: 'https://evil.example' };

  const answers = [
    await client.post('/login', { email, password: 'a guess' }),
    await client.post('/login', { email: typed, password }),
    await client.post('/login', { email, password }, foreign),
  ];
  await disableAccount(service, id);
  answers.push(await client.post('/login', { email, password }));
  while (answers.at(-1)?.status !== 429) {
    answers.push(await client.post('/login', { email: typed, password: 'x' }));
  }
  const events = await service.events();

  const entries = lines.map((line) => JSON.parse(line));
  const refused = entries.filter(({ msg }) => msg === 'sign-in refused');
  expect(refused.map(({ requestId }) => requestId)).toEqual(
    answers.map(({ headers }) => headers.get('x-request-id')),
  );
  expect(refused.map(({ reason }) => reason)).toEqual(answers.map(({ body }) => body.code));
  for (const { method, ip } of refused) expect([method, ip]).toEqual(['local', '127.0.0.1']);
  expect(refused.slice(0, 4).map(({ userId }) => userId)).toEqual([id, undefined, undefined, id]);
  expect(entries.filter(({ event }) => event === 'identity.auth.login.failed')).toEqual([]);
  // Users sometimes type their password there.
  expect(JSON.stringify([lines, events])).not.toContain(typed);
});

test.each([
  ['in capitals', 'ADA@EXAMPLE.COM'],
  ['between blanks', '  ada@example.com\t'],
  ['in full-width letters', 'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ'],
])('an address %s is the same address', async (_spelling, email) => {
  const service = await startTestService();
  const { password } = await createPasswordAccount(service, { email: 'ada@example.com' });

  const { status } = await nativeClient(service).post('/login', { email, password });

  expect(status).toBe(200);
});
