import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { addRole } from './administrator.js';
import { createPasswordAccount } from './flows/password.js';
import { authenticatorCode } from './flows/totp.js';
import { guardOf, onwardOf, openPanel } from './panel.js';
import { signInAs } from './sign-in-as.js';
import { startWithPages, type Visitor, visitor } from './visitor.js';

test('downloads work past the life of the access token, whose page may have stood open', async () => {
  const service = await startWithPages();
  const { user, visit } = await openPanel(service);
  const hrefs = await Promise.all(
    ['audit', `users/${user.id}`].map(async (path) => {
      const { html } = await visit.open(`/admin/${path}`);
      return /class="button" href="([^"]*(?:ndjson|export))"/
        .exec(html)?.[1]
        ?.replaceAll('&amp;', '&');
    }),
  );
  for (const href of hrefs) {
    visit.cookies.delete('accessToken');
    const file = await visit.open(href ?? 'none');
    expect([href, file.status]).toEqual([href, 200]);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w-]+\.\w+"$/);
    expect(file.html).toContain(user.id);
  }
});

/** What happens past ACCESS_TOKEN_TTL: only pages below /auth still get a cookie, that of the refresh token. */
function expire({ cookies }: Visitor, ...more: string[]): void {
  const refreshToken = cookies.get('refreshToken') ?? cookies.get('refreshToken /auth');
  cookies.set('refreshToken /auth', refreshToken ?? '');
  for (const name of ['accessToken', 'refreshToken', ...more]) cookies.delete(name);
}

test('an act past the life of the access token is done at once, and what was typed arrives whatever its length', async () => {
  const service = await startWithPages();
  const { user } = await signInAs(service);
  const { visit } = await openPanel(service);
  await visit.open(`/admin/users/${user.id}`);
  expire(visit);

  const page = await visit.submit('disable');

  expect([page.path, page.alert]).toEqual([`/admin/users/${user.id}?done=disable`, undefined]);
  expect((await service.services.users.findById(user.id))?.disabledAt).not.toBeNull();
  expect(visit.cookies.has('draft')).toBe(false);
  const plan = 'x'.repeat(20_000);
  expire(visit);
  await visit.submit('metadata', { metadata: JSON.stringify({ plan }) });
  expect((await service.services.users.findById(user.id))?.metadata).toEqual({ plan });
});

test('an act after the end of the session is kept until its user has signed in, or the page says that it was too long', async () => {
  const service = await startWithPages();
  const ada = await createPasswordAccount(service);
  await service.services.userRoles.assign(ada.id, 'admin');
  const visit = visitor(service);
  const signIn = () => visit.submit('password', { email: ada.email, password: ada.password });
  await visit.open(`/admin/users/${ada.id}`);
  await signIn();
  const incompressible = randomBytes(4_000).toString('base64url');
  for (const [plan, notice, alert] of [
    ['pro '.repeat(4_000), 'your input is kept', /Nothing was done yet/],
    [incompressible, 'too long to keep', /^What you typed was too long to keep\.$/],
  ] as const) {
    expire(visit, 'refreshToken /auth');
    const metadata = JSON.stringify({ plan });
    const login = await visit.submit('metadata', { metadata });
    expect(login.path).toMatch(/^\/auth\/ui\/login\?return_to=/);
    const [, ended] = /<p class="notice">(Your session has ended.*?)<\/p>/.exec(login.html) ?? [];
    expect(ended).toContain(notice);
    const page = await signIn();
    expect([page.path, page.alert]).toEqual([
      `/admin/users/${ada.id}`,
      expect.stringMatching(alert),
    ]);
    expect(page.valueOf('metadata')).toBe(plan === incompressible ? '{}' : metadata);
  }
});

test('attack: no form but that of this user, from this site, is sent on', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  const { visit: mallory } = await openPanel(service);
  const own = guardOf((await visit.open('/admin/roles')).html);
  const foreign = guardOf((await mallory.open('/admin/roles')).html);
  const fields = { form: 'create', name: 'forged', permissions: 'a:b' };
  const through = (target: string) => `/auth/ui/?return_to=${encodeURIComponent(target)}`;
  for (const guard of ['', foreign]) {
    expect((await visit.post(through('/admin/roles'), { ...fields, guard })).status).toBe(403);
  }
  for (const origin of ['http://evil.example', 'null']) {
    const sent = { ...fields, guard: own };
    expect((await visit.post(through('/admin/roles'), sent, { origin })).status).toBe(403);
  }
  for (const target of ['//evil.example/', 'https://evil.example/', '/\\evil.example/']) {
    const page = await visit.post(through(target), { ...fields, guard: own });
    expect([target, page.path]).toEqual([target, '/auth/ui/account']);
  }
  expect(await service.services.roles.find('forged')).toBeUndefined();
  expire(visit);
  const tooLong = { ...fields, guard: own, name: 'x'.repeat(service.config.BODY_LIMIT) };
  expect((await visit.post('/admin/roles', tooLong)).status).toBe(413);
});

test('attack: what the permissions of the user, or of the role, are above is neither shown nor done', async () => {
  const service = await startWithPages();
  const { user: boss } = await openPanel(service);
  const ada = await signInAs(service);
  await addRole(service, 'editor', ['users:read']);
  const all = [
    'admin:access',
    ...['users', 'roles', 'sessions'].flatMap((of) => [`${of}:read`, `${of}:write`]),
  ];
  await addRole(service, 'clerk', all);
  const { visit } = await openPanel(service, { role: 'clerk' });

  const page = await visit.open(`/admin/users/${ada.user.id}`);
  expect(page.html).toContain('<option value="editor">');
  expect(page.html).not.toContain('<option value="admin">');
  await service.services.userRoles.assign(boss.id, 'editor');
  expect((await visit.open(`/admin/users/${boss.id}`)).html).not.toMatch(
    /value="(?:disable|delete|metadata|give-role|take-role|end-session|end-sessions|verify-email)"/,
  );
  const { html } = await visit.open('/admin/users');
  expect(html).toContain(`name="user ${ada.user.id}"`);
  expect(html).not.toContain(`name="user ${boss.id}"`);
  const blank = await visit.open('/admin/users/new');
  expect(blank.html).toMatch(/<option value="user" selected>/);
  expect(blank.html).not.toContain('<option value="admin">');
  const guard = guardOf(blank.html);
  for (const form of ['disable', 'delete', 'end-sessions']) {
    expect((await visit.post(`/admin/users/${boss.id}`, { guard, form })).status).toBe(403);
  }
});

test('an administrator comes from the account to the panel and back, others see no way there', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  const row = 'href="/auth/ui/account/administration"';
  expect((await visit.open('/auth/ui/account')).html).toContain(row);
  const panel = await visit.open('/auth/ui/account/administration');
  expect([panel.path, panel.heading]).toEqual(['/admin', 'Overview']);
  expect(panel.html).toContain('<a href="/auth/ui/account">Your account</a>');
  const { visit: other } = await openPanel(service, { role: 'user' });
  expect((await other.open('/auth/ui/account')).html).not.toContain(row);
});

test('an administrator who needs a second factor is led to its set-up, and from there to the page', async () => {
  const service = await startWithPages({ ADMIN_2FA: 'on' });
  const { user, visit } = await openPanel(service);
  await service.services.users.markEmailVerified(user.id);

  const page = await visit.open('/admin/users');
  expect(page.path).toMatch(/^\/auth\/ui\/2fa-setup\?return_to=%2Fadmin%2Fusers\b/);
  expect(page.html).toContain('Set up a second factor first.');
  const secret = (await visit.submit('begin')).valueOf('secret') ?? '';
  const codes = await visit.submit('confirm', { token: authenticatorCode(secret) });

  expect(onwardOf(codes.html)).toBe('/admin/users');
  expect((await visit.open('/admin/users')).status).toBe(200);
});

test('an administrator without a password, whose sign-in is too old, can sign in again', async () => {
  const service = await startWithPages({ ACCESS_TOKEN_TTL: '1h' });
  const { user } = await signInAs(service);
  const { visit } = await openPanel(service);
  service.advance(service.config.REAUTH_WINDOW + 1_000);
  await visit.open(`/admin/users/${user.id}`);

  const refused = await visit.submit('disable');
  const login = await visit.open(onwardOf(refused.html)?.replaceAll('&amp;', '&') ?? '');

  expect([refused.status, login.heading]).toEqual([403, 'Sign in']);
});

test('attack: a field cannot replace what the address of a page is about', async () => {
  const service = await startWithPages();
  const [ada, bea] = [await signInAs(service), await signInAs(service)];
  const { visit } = await openPanel(service);
  await visit.open(`/admin/users/${ada.user.id}`);

  await visit.submit('disable', { id: bea.user.id });

  const states = [ada, bea].map(({ user }) => service.services.users.findById(user.id));
  expect((await Promise.all(states)).map((user) => user?.disabledAt === null)).toEqual([
    false,
    true,
  ]);
});
