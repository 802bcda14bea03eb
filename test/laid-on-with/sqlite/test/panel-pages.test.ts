import { expect, test } from 'vitest';
import { addRole } from './administrator.js';
import { guardOf, onwardOf, openPanel } from './panel.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';
import { startWithPages } from './visitor.js';

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

test('a new user is shown, and said to be created', async () => {
  const { visit } = await openPanel(await startWithPages());
  await visit.open('/admin/users/new');
  const created = await visit.submit('create', { email: 'new@example.com', role: 'user' });
  expect(created.heading).toBe('new@example.com');
  expect(created.html).toContain('The user was created.');
});

test('after a deletion the list says so', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service);
  const { visit } = await openPanel(service);
  await visit.open(`/admin/users/${ada.user.id}`);
  const { html, path } = await visit.submit('delete');
  expect(path).toBe('/admin/users?done=delete');
  expect(html).toContain('The user was deleted.');
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
  await visit.open(`/admin/users/${user.id}?after=7`);
  const refused = await visit.submit('disable');
  const open =
    /<dialog open aria-label="Disable"[\s\S]*<a class="button" href="(.*)">Cancel<[\s\S]*<\/dialog>/;
  const [, onward = ''] = open.exec(refused.html) ?? [];
  expect(onward).toBe(`/admin/users/${user.id}?after=7`);
  const left = await visit.open(onward);
  expect([left.alert, left.html.includes('<dialog open')]).toEqual([undefined, false]);
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
