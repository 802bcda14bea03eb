import { setTimeout as sleep } from 'node:timers/promises';
import bcrypt from 'bcrypt';
import { expect, test, vi } from 'vitest';
import { browser, nativeClient } from '../../../test/client.js';
import { createPasswordAccount, disableAccount } from '../../../test/flows/password.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs, startSignedIn } from '../../../test/sign-in-as.js';

/** As long as a hash of cost 12, without its CPU time. */
const HASH_MS = 250;

test('only after the right password is an account reported as disabled', async () => {
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

test('a browser gets cookies and a body without tokens', async () => {
  const service = await startTestService();
  const { email, password } = await createPasswordAccount(service);

  const login = { email, password };
  service.stopClock();
  const { status, body, headers, setCookies } = await browser(service).post('/login', login);

  expect(status).toBe(200);
  expect(body).toEqual({ success: true });
  expect(headers.get('cache-control')).toBe('no-store');
  expect(setCookies.map(({ name, httpOnly, maxAge }) => [name, httpOnly, maxAge])).toEqual([
    ['accessToken', true, 15 * 60],
    ['refreshToken', true, 7 * 24 * 3600],
    ['csrf-token', undefined, 7 * 24 * 3600],
    ['device', true, 90 * 24 * 3600],
  ]);
});

test('a native client gets the tokens in the body and no cookies', async () => {
  const service = await startTestService();
  const { email, password } = await createPasswordAccount(service);
  const login = { email, password };
  const { status, body, setCookies } = await nativeClient(service).post('/login', login);

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

test('race: an account that is disabled during its sign-in gets no session', async () => {
  const service = await startTestService();
  const { id, email, password } = await createPasswordAccount(service);
  const { users } = service.services;
  const findAccount = users.findAccount.bind(users);
  vi.spyOn(users, 'findAccount').mockImplementationOnce(async (userId) => {
    const account = await findAccount(userId);
    await disableAccount(service, id);
    return account;
  });
  const { status, body } = await nativeClient(service).post('/login', { email, password });
  expect([status, body.code]).toEqual([403, 'ACCOUNT_DISABLED']);
  expect(await service.services.sessions.listOfUser(id)).toEqual([]);
});

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

test('exhaustion: a sign-in that waits too long is 503 with Retry-After, and others are served', async () => {
  const { service, client } = await startSignedIn();
  vi.spyOn(bcrypt, 'compare').mockImplementation(() => sleep(4 * HASH_MS, false));
  const logins = Array.from({ length: 100 }, (_, nth) =>
    nativeClient(service).post('/login', { email: `${nth}@example.com`, password: 'a guess' }),
  );
  expect((await client.get('/me')).status).toBe(200);
  const refused = (await Promise.all(logins)).filter(({ status }) => status !== 401);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, body, headers } of refused) {
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(headers.get('retry-after')).toBe('2');
  }
});
