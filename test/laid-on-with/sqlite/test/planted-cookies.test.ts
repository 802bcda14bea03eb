import { expect, test } from 'vitest';
import { browser } from './client.js';
import { mailedToken } from './flows/email-verification.js';
import { requestMagicLink } from './flows/magic-link.js';
import { createPasswordAccount, signInWithPassword } from './flows/password.js';
import { startTestService } from './service.js';
import { signInAs, signInBrowserAs } from './sign-in-as.js';
import { signedInVisitor, startWithPages, visitor } from './visitor.js';

// A sibling domain can set any cookie of ours without a `__Host-` name, such as that of a refresh token.

const HTTPS = { BASE_URL: 'https://auth.test' };
const REFRESH = '__Secure-refreshToken';
const FORM = '/auth/ui/account/profile';

test('attack: a planted refresh cookie signs nobody in, neither by the API nor on a page', async () => {
  const service = await startWithPages(HTTPS);
  const mallory = await signInAs(service);
  const victim = browser(service);
  victim.cookies.set(REFRESH, mallory.refreshToken);
  // Their CSRF cookie is not that of the planted session.
  await victim.get('/me');
  const { status, body } = await victim.post('/refresh');
  expect([status, body.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
  const person = visitor(service);
  person.cookies.set(REFRESH, mallory.refreshToken);
  expect((await person.open('/auth/ui/account')).path).toContain('/auth/ui/login');
});

test('a browser with the cookies of its own session refreshes, also with the refresh cookie alone', async () => {
  const service = await startTestService(HTTPS);
  const { client } = await signInBrowserAs(service);
  for (const name of ['__Host-accessToken', '__Host-csrf-token']) {
    client.cookies.delete(name);
    expect((await client.post('/refresh')).status).toBe(200);
    expect((await client.get('/me')).status).toBe(200);
  }
});

test('pre-hijacking: a planted refresh cookie does not make the browser of the owner that of a stranger', async () => {
  const service = await startTestService(HTTPS);
  const account = await createPasswordAccount(service, { isEmailProven: false });
  const mallory = await signInWithPassword(service, account);
  const { refreshToken } = await signInAs(service, { email: account.email });
  await mallory.post('/send-verification-email');
  const victim = browser(service);
  victim.cookies.set(REFRESH, refreshToken);
  await victim.get(`/verify-email?token=${await mailedToken(service)}`);
  const user = await service.services.users.findByEmail(account.email);
  expect([user?.emailVerifiedAt, user?.emailProvenAt]).toEqual([expect.any(Number), null]);
});

test.each<Record<string, string>>([{ 'x-auth-strategy': 'bearer' }, { authorization: 'Bearer' }])(
  'pre-hijacking: nor does it in a request with the header %o',
  async (headers) => {
    const service = await startTestService(HTTPS);
    const account = await createPasswordAccount(service, { isEmailProven: false });
    const mallory = await signInAs(service, { email: account.email });
    const victim = browser(service);
    await victim.get('/me');
    victim.cookies.set(REFRESH, mallory.refreshToken);
    const token = await requestMagicLink(service, account.email);
    expect((await victim.post('/magic-link/verify', { token }, headers)).status).toBe(200);
    expect((await mallory.client.get('/me')).status).toBe(401);
    const { email, password } = account;
    expect((await browser(service).post('/login', { email, password })).status).toBe(401);
  },
);

test('attack: no guard of a form is valid for everybody, such as that of a visit called undefined', async () => {
  const service = await startWithPages();
  const mallory = visitor(service);
  mallory.cookies.set('visit', 'undefined');
  const guard = (await mallory.open('/auth/ui/login')).valueOf('guard') ?? '';

  const { person, user } = await signedInVisitor(service);
  const changed = await person.post(FORM, { guard, form: 'profile', name: 'Mallory' });
  expect(changed.status).toBe(403);
  expect((await service.services.users.findById(user.id))?.metadata).toEqual({});
  const login = { guard, form: 'password', email: 'a@example.com', password: 'a guess' };
  expect((await visitor(service).post('/auth/ui/login', login)).status).toBe(403);
});
