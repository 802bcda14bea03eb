import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { addRole } from './administrator.js';
import { createPasswordAccount } from './flows/password.js';
import { authenticatorCode } from './flows/totp.js';
import { openPanel } from './panel.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';
import { startWithPages, type Visitor, visitor } from './visitor.js';

const guardOf = (html: string) => /name="guard" value="([^"]*)"/.exec(html)?.[1] ?? '';
const onwardOf = (html: string) => /class="button primary" href="([^"]*)"/.exec(html)?.[1];

test('metadata that is not JSON is refused beside its field, and kept there', async () => {
  const service = await startWithPages();
  const { user, visit } = await openPanel(service);
  await visit.open(`/admin/users/${user.id}`);
  const refused = await visit.submit('metadata', { metadata: '{"a":' });
  expect([refused.status, refused.errorOf('metadata')]).toEqual([400, 'This is not JSON.']);
  expect(refused.html).toContain('{&quot;a&quot;:</textarea>');
  // SQLite cannot read it: no user could be searched for by name.
  const deep = `{"name":${'['.repeat(1200)}${']'.repeat(1200)}}`;
  const tooDeep = await visit.submit('metadata', { metadata: deep });
  expect([tooDeep.status, tooDeep.errorOf('metadata')]).toEqual([400, 'This is not JSON.']);
  expect((await visit.open('/admin/users?filter=zzz')).status).toBe(200);
  await visit.open(`/admin/users/${user.id}`);
  const list = await visit.submit('metadata', { metadata: '[1, 2]' });
  expect([list.status, list.errorOf('metadata')]).toEqual([400, 'This must be a JSON object.']);
  await visit.submit('metadata', { metadata: '{"plan": "pro"}' });
  expect((await service.services.users.findById(user.id))?.metadata).toEqual({ plan: 'pro' });
});

test('several users are acted on at once, with an answer for each', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service);
  const { user, visit } = await openPanel(service);
  const { html } = await visit.open('/admin/users');
  expect(html).toContain(`name="user ${ada.user.id}" value="${ada.user.email}" form="bulk"`);
  expect(html).not.toContain(`name="user ${user.id}"`);
  const done = await visit.submit('bulk', {
    act: 'disable',
    [`user ${ada.user.id}`]: ada.user.email,
    [`user ${user.id}`]: user.email,
  });
  expect(done.html).toContain('The last administrator cannot be removed.');
  const link = `<a href="/admin/users/${ada.user.id}">${ada.user.email}</a>`;
  expect(done.html).toContain(link);
  expect((await service.services.users.findById(ada.user.id))?.disabledAt).not.toBeNull();
});

test.each([
  ['users', 'filter', 'x'.repeat(255), 'Use at most 254 characters.'],
  ['sessions', 'filter', 'x'.repeat(255), 'Use at most 254 characters.'],
  ['roles', 'filter', 'x'.repeat(255), 'Use at most 254 characters.'],
  ['audit', 'from', 'yesterday', 'Use a time such as 2026-01-31T12:00:00Z.'],
])(
  'a filter of %s that the API refuses is still there, with the error beside it',
  async (...row) => {
    const [page, name, value, error] = row;
    const { visit } = await openPanel(await startWithPages());
    const shown = await visit.open(`/admin/${page}?${name}=${value}`);
    expect([shown.status, shown.errorOf(name), shown.valueOf(name)]).toEqual([400, error, value]);
    const inGerman = { 'accept-language': 'de' };
    const german = await visit.open(`/admin/${page}?${name}=${value}`, inGerman);
    expect(german.errorOf(name)).toMatch(/^Höchstens|^Geben Sie/);
  },
);

test('a test email shows the answer of the mail server', async () => {
  let answer = '';
  const send = async () => {
    if (answer) throw new Error(answer);
  };
  const service = await startTestService({ APP_URL: '' }, { mailer: { send } });
  const { visit } = await openPanel(service);
  await visit.open('/admin/settings');
  expect((await visit.submit('test-mail')).html).toContain('accepted the email');
  answer = '550 5.1.1 no such mailbox <b>';
  const refused = await visit.submit('test-mail');
  expect([refused.status, refused.alert]).toEqual([502, '550 5.1.1 no such mailbox <b>']);
});

test('without a mail server, a test email says that nothing is sent, and where it is written', async () => {
  const mailer = { send: async () => {}, sent: [] };
  const service = await startTestService({ APP_URL: '' }, { mailer });
  const { visit } = await openPanel(service);
  expect((await visit.open('/admin/settings')).html).toContain('No mail server is set');
  const { html } = await visit.submit('test-mail');
  expect(html).toContain('written to data/outbox');
  expect(html).not.toContain('accepted the email');
});

test('attack: the role of administrators cannot be removed by its page', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  expect((await visit.open('/admin/roles/admin')).html).not.toContain('value="delete"');
  const guard = guardOf((await visit.open('/admin/roles')).html);
  expect((await visit.post('/admin/roles/admin', { guard, form: 'delete' })).status).toBe(409);
});

test('the audit log names people, is narrowed down by time, and is exported as it is filtered', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service, { email: 'ada@example.com' });
  const { user, visit } = await openPanel(service);
  await visit.open(`/admin/users/${ada.user.id}`);
  await visit.submit('disable');
  const page = await visit.open(`/admin/audit?actor=${user.id}&filter=disable&to=2999-01-01T00:00`);
  expect(page.html).toContain('POST /users/{id}/disable');
  expect(page.html).toContain(`<a href="/admin/users/${ada.user.id}">ada@example.com</a>`);
  const [, link = ''] = /href="([^"]*format%3Dndjson)"/.exec(page.html) ?? [];
  const exported = await visit.open(link.replaceAll('&amp;', '&'));
  expect(exported.headers.get('content-type')).toContain('application/x-ndjson');
  const actions = exported.html
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).action);
  expect(actions).toEqual(['POST /users/{id}/disable']);
  expect((await visit.open('/admin/audit?from=2999-01-01T00:00')).html).toContain(
    'nothing to show',
  );
  expect((await visit.open('/admin/audit?from=yesterday')).status).toBe(400);
});

test('the audit log names devices, and shows no raw User-Agent', async () => {
  const service = await startWithPages();
  const { email, password } = await createPasswordAccount(service);
  await fetch(`${service.url}/auth/login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/130.0',
    },
    body: JSON.stringify({ email, password }),
  });
  const { visit } = await openPanel(service);

  const { html } = await visit.open('/admin/audit?filter=session.created');

  expect(html).toContain('<span>userAgent</span> Chrome, Windows');
  expect(html).not.toContain('Mozilla');
});

test('attack: hostile names and addresses of users are shown as text', async () => {
  const service = await startWithPages();
  const name = '<img src=x onerror=alert(1)>';
  const { user, visit } = await openPanel(service, { metadata: { name } });
  for (const path of ['/admin/users', `/admin/users/${user.id}`]) {
    const { html } = await visit.open(path);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img');
  }
});

test('a user whom the panel has deleted is named without a link', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service);
  const { visit } = await openPanel(service);
  const fields = { act: 'delete', [`user ${ada.user.id}`]: ada.user.email };
  // The second time as by a reload, or after another administrator has done it.
  for (const result of ['The user is deleted.', 'There is nothing here.']) {
    await visit.open('/admin/users');
    const { html } = await visit.submit('bulk', fields);
    expect(html).toContain(result);
    expect(html).toContain(`>${ada.user.email}<`);
    expect(html).not.toContain(`href="/admin/users/${ada.user.id}"`);
  }
});

test('a new user is shown, and said to be created', async () => {
  const { visit } = await openPanel(await startWithPages());
  await visit.open('/admin/users/new');
  const created = await visit.submit('create', { email: 'new@example.com', role: 'user' });
  expect(created.heading).toBe('new@example.com');
  expect(created.html).toContain('The user is created.');
});

test('after a deletion the list says so', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service);
  const { visit } = await openPanel(service);
  await visit.open(`/admin/users/${ada.user.id}`);
  const { html, path } = await visit.submit('delete');
  expect([path, html.includes('The user is deleted.')]).toEqual(['/admin/users?done=delete', true]);
});

test('a malformed permission is refused beside its field, and kept there', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  await visit.open('/admin/roles');
  const fields = { name: 'helper', permissions: 'orders read', 'permission users:read': 'on' };
  const refused = await visit.submit('create', fields);
  expect([refused.status, refused.errorOf('permissions')]).toEqual([
    400,
    'Write it as resource:action.',
  ]);
  expect(refused.valueOf('permissions')).toBe('orders read');
  await visit.submit('create', { permissions: 'orders:read' });
  const { permissions } = (await service.services.roles.find('helper')) ?? {};
  expect(permissions).toEqual(['orders:read', 'users:read']);
});

test('a form with several mistakes reports each, and not that its fields are unknown', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  await visit.open('/admin/webhooks/outgoing/new');
  const wrong = { url: 'nowhere', events: '', maxRetries: 'many', retryDelayMs: '-1' };
  const refused = await visit.submit('create', wrong);
  expect([refused.status, refused.errorOf('url')]).toEqual([400, 'Use an http or https URL.']);
  expect(refused.html).not.toContain('There is no such field.');
  const long = await visit.submit('create', { url: `https://example.com/${'x'.repeat(2048)}` });
  expect(long.errorOf('url')).toBe('Use at most 2048 characters.');
});

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

test('a dialog names what it is about, and Enter twice does not confirm it', async () => {
  const service = await startWithPages();
  const { user, visit } = await openPanel(service);
  const { html } = await visit.open(`/admin/users/${user.id}`);
  const dialogs = html.match(/<dialog popover[\s\S]*?<\/dialog>/g) ?? [];
  expect(dialogs.length).toBeGreaterThan(3);
  expect(dialogs.some((dialog) => dialog.includes('value="give-role"'))).toBe(true);
  for (const dialog of dialogs) {
    expect(dialog).toContain(user.email);
    expect(dialog).toMatch(/autofocus[^>]*>Cancel</);
  }
  service.advance(service.config.REAUTH_WINDOW + 1_000);
  await visit.open(`/admin/users/${user.id}`);
  const refused = await visit.submit('disable');
  expect(refused.html).toMatch(
    /<dialog open>[\s\S]*<form method="dialog">.*Cancel<[\s\S]*<\/dialog>/,
  );
});

test('a role that the service relies on says that it cannot be changed', async () => {
  const { visit } = await openPanel(await startWithPages());
  for (const role of ['user', 'admin']) {
    const page = await visit.open(`/admin/roles/${role}`, { 'accept-language': 'de' });
    expect([page.status, page.html]).toEqual([
      409,
      expect.stringContaining('Diese Rolle kann nicht'),
    ]);
  }
});

test('a field of the settings has the name of its setting', async () => {
  const { visit } = await openPanel(await startWithPages());
  const { html } = await visit.open('/admin/settings');
  const labels = [...html.matchAll(/<label [^>]*>([^<]*)</g)].map(([, label]) => label);
  expect(labels).not.toContain('Value');
  expect(new Set(labels).size).toBe(labels.length);
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

test('times are said to be in UTC', async () => {
  const { visit } = await openPanel(await startWithPages());
  const { html } = await visit.open('/admin/sessions');
  expect(html).toMatch(/<time [^>]*>[^<]* UTC<\/time>/);
});

test('a page that failed links to the panel, or to the account of a user who may not see the panel', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  for (const path of ['users/00000000-0000-4000-8000-000000000000', 'roles/nobodys']) {
    const gone = await visit.open(`/admin/${path}`);
    expect([path, gone.status, onwardOf(gone.html)]).toEqual([path, 404, '/admin']);
  }
  await addRole(service, 'reader', ['admin:access']);
  const { visit: reader } = await openPanel(service, { role: 'reader' });
  const forbidden = await reader.open('/admin/users');
  expect([forbidden.status, onwardOf(forbidden.html)]).toEqual([403, '/admin']);
  const { visit: other } = await openPanel(service, { role: 'user' });
  const refused = await other.open('/admin');
  expect([refused.status, onwardOf(refused.html)]).toEqual([403, '/auth/ui/']);
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
