import bcrypt from 'bcrypt';
import { expect, test, vi } from 'vitest';
import { browser, nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  disableAccount,
  requestResetToken,
  resetPassword,
} from '../../../test/password-account.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import type { Config } from '../../config.js';
import { createLog } from '../../process/log.js';
import { password } from './feature.js';

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

test('only the right password learns that an account is disabled', async () => {
  const service = await startTestService();
  const { id, email, password } = await createPasswordAccount(service);
  await disableAccount(service, id);
  const client = nativeClient(service);

  const wrong = await client.post('/login', { email, password: 'a guess' });
  const right = await client.post('/login', { email, password });

  expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  expect([right.status, right.body.code]).toEqual([403, 'ACCOUNT_DISABLED']);
  expect(await service.services.sessions.listOfUser(id)).toEqual([]);
});

test('listeners are told of a sign-in that worked and of one that failed', async () => {
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

test('whoever asks why a sign-in failed finds one line with the request, the method, the reason and the IP', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ LOG_LEVEL: 'info' } as Config, {
    write: (line) => void lines.push(JSON.parse(line)),
  });
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

  const refused = lines.filter(({ msg }) => msg === 'sign-in refused');
  expect(refused.map(({ requestId }) => requestId)).toEqual(
    answers.map(({ headers }) => headers.get('x-request-id')),
  );
  expect(refused.map(({ reason }) => reason)).toEqual(answers.map(({ body }) => body.code));
  for (const { method, ip } of refused) expect([method, ip]).toEqual(['local', '127.0.0.1']);
  expect(refused.slice(0, 4).map(({ userId }) => userId)).toEqual([id, undefined, undefined, id]);
  expect(lines.filter(({ event }) => event === 'identity.auth.login.failed')).toEqual([]);
  // Somebody may have typed their password there.
  expect(JSON.stringify([lines, events])).not.toContain(typed);
});

test('a browser is handed three cookies and a body without any token', async () => {
  const service = await startTestService();
  const { email, password } = await createPasswordAccount(service);

  const login = { email, password };
  const { status, body, headers, setCookies } = await browser(service).post('/login', login);

  expect(status).toBe(200);
  expect(body).toEqual({ success: true });
  expect(headers.get('cache-control')).toBe('no-store');
  expect(setCookies.map(({ name, httpOnly, maxAge }) => [name, httpOnly, maxAge])).toEqual([
    ['accessToken', true, 15 * 60],
    ['refreshToken', true, 7 * 24 * 3600],
    ['csrf-token', undefined, 7 * 24 * 3600],
  ]);
});

test('a native client is handed the tokens in the body and no cookie at all', async () => {
  const service = await startTestService();
  const { email, password } = await createPasswordAccount(service);

  const { status, body, setCookies } = await nativeClient(service).post('/login', {
    email,
    password,
  });

  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    accessToken: expect.stringMatching(/^ey/),
    refreshToken: expect.stringMatching(/^ey/),
  });
  expect(setCookies).toEqual([]);
});

test('session fixation: a sign-in never takes over the session that the browser brings along', async () => {
  const service = await startTestService();
  const mallory = await createPasswordAccount(service);
  const ada = await createPasswordAccount(service);
  const client = browser(service);
  await client.post('/login', mallory);
  const planted = new Map(client.cookies);

  await client.post('/login', ada);

  expect((await client.get('/me')).body.email).toBe(ada.email);
  for (const [name, value] of planted) expect(client.cookies.get(name)).not.toBe(value);
});

const GUESS = 'a guess';

/** An address with a password, one whose account has none, and one that nobody has. */
async function threeAddresses(service: TestService) {
  const known = (await createPasswordAccount(service)).email;
  const passwordless = (await signInAs(service)).user.email;
  return { known, passwordless, unknown: 'nobody@example.com' };
}

test('enumeration by answer: status, body and headers do not tell who has an account', async () => {
  const service = await startTestService();
  const addresses = await threeAddresses(service);
  const client = nativeClient(service);

  const answers = await Promise.all(
    Object.values(addresses).map((email) => client.post('/login', { email, password: GUESS })),
  );

  for (const { status, body, headers } of answers) {
    expect(status).toBe(401);
    expect(body).toEqual({
      error: 'The email address or the password is wrong.',
      code: 'INVALID_CREDENTIALS',
    });
    expect([...headers.keys()]).toEqual([...(answers[0]?.headers.keys() ?? [])]);
  }
});

test('enumeration by work: whoever it is, one hash of the configured cost is computed', async () => {
  const service = await startTestService({ BCRYPT_COST: '11' });
  const addresses = await threeAddresses(service);
  const compare = vi.spyOn(bcrypt, 'compare');

  for (const email of Object.values(addresses)) {
    compare.mockClear();
    await nativeClient(service).post('/login', { email, password: GUESS });

    expect(compare).toHaveBeenCalledOnce();
    const [password, hash] = compare.mock.calls[0] ?? [];
    expect(password).toBe(GUESS);
    expect(bcrypt.getRounds(hash ?? '')).toBe(11);
  }
});

test('guessing: an account takes so many tries from however many addresses, known or not', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  const { points } = password.limits.loginOfAccount;
  for (const { email } of [await createPasswordAccount(service), { email: 'nobody@example.com' }]) {
    const codes: string[] = [];
    for (let nth = 1; nth <= points + 1; nth++) {
      const from = { 'x-forwarded-for': `198.18.0.${nth}` };
      const { body } = await nativeClient(service).post('/login', { email, password: GUESS }, from);
      codes.push(body.code);
    }
    expect(codes).toEqual([...Array(points).fill('INVALID_CREDENTIALS'), 'RATE_LIMITED']);
  }
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
  // The old password has been verified by now; the reset is faster with all that is left.
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
