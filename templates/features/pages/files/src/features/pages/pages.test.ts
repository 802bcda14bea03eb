import { expect, test } from 'vitest';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { signedInVisitor, startWithPages, visitor } from '../../../test/visitor.js';

const DEVELOPMENT = { NODE_ENV: 'development', BASE_URL: 'http://localhost:3000', APP_URL: '' };
const MAIL = {
  name: 'anything',
  to: 'ada@example.com',
  subject: '<b>Sign in</b>',
  text: 'Open http://localhost:3000/auth/ui/any?token=1 now.',
  html: '',
};

const startInDevelopment = () =>
  startTestService(DEVELOPMENT, { mailer: { send: async () => {}, sent: [MAIL] } });

test('a signed-out visitor gets to the sign-in page, with the path to return to', async () => {
  const service = await startWithPages();

  const page = await visitor(service).open('/auth/ui/account');

  expect([page.status, page.path]).toEqual([
    200,
    '/auth/ui/login?return_to=%2Fauth%2Fui%2Faccount',
  ]);
});

test('every page forbids framing, foreign scripts, caching and referrers', async () => {
  const service = await startWithPages();

  const { person } = await signedInVisitor(service);
  const form = '/auth/ui/account/profile';
  const pages = [
    await visitor(service).open('/auth/ui/login'),
    await visitor(service).open('/auth/ui/account'),
    await visitor(service).open('/auth/ui/no-such-page'),
    await person.open(form),
    await person.post(form, {}, { origin: 'http://evil.test' }),
  ];
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 404, 200, 403]);
  for (const { headers } of pages) {
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  }
});

test('signing out ends the session, and is a form, not a link', async () => {
  const service = await startWithPages();
  const { person, sessionId } = await signedInVisitor(service);

  await person.open('/auth/ui/sign-out');
  expect(await service.services.sessions.find(sessionId)).toBeDefined();
  const page = await person.submit('sign-out');

  expect([page.status, page.path]).toEqual([200, '/auth/ui/signed-out']);
  expect(await service.services.sessions.find(sessionId)).toBeUndefined();
  expect((await person.open('/auth/ui/account')).path).toContain('/auth/ui/login');
});

test.each([
  ['without a guard', ''],
  ['with a made up guard', `${'0'.repeat(64)}.${'0'.repeat(64)}`],
])('a form %s is refused, and its page is HTML', async (_name, guard) => {
  const service = await startWithPages();
  const { person, sessionId } = await signedInVisitor(service);

  const page = await person.post('/auth/ui/sign-out', { guard, form: 'sign-out' });

  expect([page.status, page.heading]).toEqual([403, 'This did not work']);
  expect(await service.services.sessions.find(sessionId)).toBeDefined();
});

test("a form with another session's guard is refused", async () => {
  const service = await startWithPages();
  const mallory = (await signedInVisitor(service)).person;
  const guard = (await mallory.open('/auth/ui/sign-out')).valueOf('guard') ?? '';
  const { person } = await signedInVisitor(service);

  const page = await person.post('/auth/ui/sign-out', { guard, form: 'sign-out' });

  expect(page.status).toBe(403);
});

test.each([
  ['of another site', 'https://evil.example'],
  ['of a page without an origin', 'null'],
])('a form %s is refused', async (_name, origin) => {
  const service = await startWithPages();
  const { person } = await signedInVisitor(service);
  await person.open('/auth/ui/sign-out');

  const page = await person.submit('sign-out', {}, { origin });

  expect([page.status, page.heading]).toEqual([403, 'This did not work']);
});

test.each([
  ['another site', 'https://evil.example/'],
  ['another host in disguise', '//evil.example'],
  ['another host by a backslash', '/\\evil.example'],
])('return_to leads to no other site: not to %s', async (_name, returnTo) => {
  const service = await startWithPages();
  const { person } = await signedInVisitor(service);

  const page = await person.open(`/auth/ui/login?${new URLSearchParams({ return_to: returnTo })}`);

  expect(page.path).toBe('/auth/ui/account');
});

test('a session that expires in the middle of a form loses no input', async () => {
  const service = await startWithPages();
  const { person, user, sessionId } = await signedInVisitor(service);
  await person.open('/auth/ui/account/profile');
  await service.services.sessions.revoke(sessionId, user.id);

  const login = await person.submit('profile', { name: 'Ada Lovelace' });
  expect(login.path).toBe('/auth/ui/login?return_to=%2Fauth%2Fui%2Faccount%2Fprofile');
  expect(login.html).toContain('Your session has ended. Sign in to continue; your input is kept.');
  const again = await signInAs(service, { email: user.email });
  person.cookies.set('accessToken', again.accessToken);
  const page = await person.open('/auth/ui/account/profile');

  expect(page.valueOf('name')).toBe('Ada Lovelace');
  expect(page.html).toContain('<p class="notice" role="alert">You are signed in again');
  expect((await person.submit('profile')).path).toBe('/auth/ui/account/profile?done=profile');
  expect((await person.open('/auth/ui/account/profile')).valueOf('name')).toBe('Ada Lovelace');
});

test('in development / lists what can be opened', async () => {
  const service = await startInDevelopment();

  const page = await visitor(service).open('/');

  expect([page.status, page.heading]).toEqual([200, 'Your service is running']);
  for (const path of ['/auth/ui/login', '/auth/ui/outbox', '/auth/openapi.json']) {
    expect(page.html).toContain(`href="${path}"`);
    expect((await visitor(service).open(path)).status).toBe(200);
  }
});

test('otherwise / leads to the sign-in page, and answers 404 to a client of the API', async () => {
  const service = await startWithPages();

  expect((await visitor(service).open('/', { accept: '*/*' })).path).toBe('/auth/ui/login');
  const { status, headers } = await visitor(service).open('/', { accept: 'application/json' });
  expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
});

test('mails of the outbox are shown as text, with links that can be followed', async () => {
  const page = await visitor(await startInDevelopment()).open('/auth/ui/outbox');

  expect(page.html).toContain('&lt;b&gt;Sign in&lt;/b&gt;');
  expect(page.html).toContain('href="http://localhost:3000/auth/ui/any?token=1"');
});

test.each([
  ['outside of development', { NODE_ENV: 'test' }],
  ['under a public address', { BASE_URL: 'http://auth.example.com' }],
  ['where mails are sent', { SMTP_URL: 'smtp://localhost:25' }],
])('%s the mails cannot be read', async (_where, variables) => {
  const service = await startTestService({ ...DEVELOPMENT, ...variables });

  expect((await visitor(service).open('/auth/ui/outbox')).status).toBe(404);
});

const SESSIONS = '/auth/ui/account/sessions';

test('each row of the account leads to a page with its title, a way back and a way to sign out', async () => {
  const service = await startWithPages();
  const { person, user } = await signedInVisitor(service);

  const overview = await person.open('/auth/ui/account');
  const rows = [...overview.html.matchAll(/<li>\s*<a href="([^"]+)"[^>]*>\s*<span>([^<]+)/g)];

  expect(overview.html).toContain(user.email);
  expect(rows.length).toBeGreaterThan(1);
  for (const [, path = ''] of rows) {
    const page = await person.open(path);
    expect([path, page.status, page.heading === '']).toEqual([path, 200, false]);
    expect(page.html).toContain('href="/auth/ui/account"');
    expect(page.html).toContain('action="/auth/ui/sign-out"');
  }
});

test('a name that was emptied is gone, and one that was changed is shown as text', async () => {
  const service = await startWithPages();
  const { person, user } = await signedInVisitor(service, { metadata: { name: 'Ada' } });
  await person.open('/auth/ui/account/profile');

  const page = await person.submit('profile', { name: '', firstName: '<b>Ada</b>' });

  expect([page.status, page.valueOf('firstName')]).toEqual([200, '<b>Ada</b>']);
  const { metadata } = (await service.services.users.findById(user.id)) ?? {};
  expect(metadata).toEqual({ firstName: '<b>Ada</b>' });
  expect((await person.open('/auth/ui/account')).html).not.toContain('<b>Ada</b>');
});

test('one of my sessions is ended; its device has a known name, never its own User-Agent', async () => {
  const service = await startWithPages();
  const { person, sessionId, user } = await signedInVisitor(service);
  const stolen = await signInAs(service, { email: user.email });
  const userAgent = '<script>alert(1)</script> call +1 900 555 Firefox/140.0 Windows';
  await service.services.db
    .updateTable('sessions')
    .set({ user_agent: userAgent })
    .where('id', '=', stolen.sessionId)
    .execute();

  const list = await person.open(SESSIONS);
  expect(list.html).toContain('Firefox, Windows');
  expect(list.html).not.toMatch(/alert|555 Firefox/);
  expect(list.html.match(/this device/g)).toHaveLength(1);
  expect(list.html).not.toContain(`value="${sessionId}"`);
  const page = await person.submit('end', { handle: stolen.sessionId });

  expect([page.status, page.path]).toEqual([200, `${SESSIONS}?done=end`]);
  expect((await stolen.client.get('/me')).body.code).toBe('SESSION_REVOKED');
});

test('all my other sessions are ended, and this one stays', async () => {
  const service = await startWithPages();
  const { person, user } = await signedInVisitor(service);
  const [laptop, phone] = [await signInAs(service, user), await signInAs(service, user)];
  const stranger = await signInAs(service);
  await person.open(SESSIONS);

  const page = await person.submit('others');

  expect(page.html).toContain('All your other sessions have ended.');
  for (const { client } of [laptop, phone]) {
    expect((await client.get('/me')).body.code).toBe('SESSION_REVOKED');
  }
  expect((await stranger.client.get('/me')).status).toBe(200);
});
