import { expect, test } from 'vitest';
import { addRole } from '../../../test/administrator.js';
import type { TestService } from '../../../test/service.js';
import { type Person, signInAs } from '../../../test/sign-in-as.js';
import { signedInVisitor, startWithPages, visitor } from '../../../test/visitor.js';

const hostile = '<img src=x onerror=alert(1)>';

const guardOf = (html: string) => /name="guard" value="([^"]*)"/.exec(html)?.[1] ?? '';

/** A user with the role `admin`, or another, in a browser. */
async function openPanel(service: TestService, given: Person = {}) {
  const { user, person } = await signedInVisitor(service, { role: 'admin', ...given });
  return { user, visit: person };
}

test('an administrator finds a user and disables them', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service, { email: 'ada@example.com' });
  const { visit } = await openPanel(service);
  expect((await visit.open('/admin')).heading).toBe('Overview');
  const found = await visit.open('/admin/users?filter=ada');
  expect(found.html).toContain('ada@example.com');
  const user = await visit.open(`/admin/users/${ada.user.id}`);
  expect(user.html).toContain('ada@example.com');
  expect((await visit.submit('disable')).html).toContain('Disabled');
  expect((await ada.client.get('/me')).body.code).toBe('SESSION_REVOKED');
});

test('attack: without its permission an action is neither shown nor accepted', async () => {
  const service = await startWithPages();
  await addRole(service, 'reader', ['admin:access', 'users:read']);
  const { user, visit } = await openPanel(service, { role: 'reader' });
  const page = await visit.open(`/admin/users/${user.id}`);
  expect(page.status).toBe(200);
  expect(page.html).not.toMatch(/value="(?:disable|delete|metadata|give-role|end-sessions)"/);
  expect(page.html).not.toContain('/admin/audit');
  const guard = /name="guard" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
  const path = `/admin/users/${user.id}`;
  expect((await visit.post(path, { guard, form: 'delete' })).status).toBe(403);
  const { visit: stranger } = await openPanel(service, { role: 'user' });
  const refused = await stranger.open('/admin/users');
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    403,
    'text/html; charset=utf-8',
  ]);
});

test('a signed-out visitor returns to the panel after signing in; the API still answers in JSON', async () => {
  const service = await startWithPages();
  const page = await visitor(service).open('/admin/users');
  expect(page.path).toMatch(/^\/auth\/ui\/login\?return_to=%2Fadmin%2Fusers/);
  const unknown = await fetch(`${service.url}/admin/nothing`, { headers: { accept: 'text/html' } });
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([
    404,
    'text/html; charset=utf-8',
  ]);
  const api = await fetch(`${service.url}/admin/api/users`, { headers: { accept: 'text/html' } });
  expect([api.status, (await api.json()) as object]).toMatchObject([
    401,
    { code: 'INVALID_TOKEN' },
  ]);
});

test('attack: hostile user agents, details, targets and names are shown as text', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service, { metadata: { firstName: hostile } });
  await service.services.auditLog.append({
    action: hostile,
    actor: hostile,
    target: `${ada.user.id}/${hostile}`,
    details: { [hostile]: { old: hostile, new: [hostile] } },
    ip: hostile,
    userAgent: hostile,
    correlationId: null,
  });
  await service.services.roles.create({ name: hostile, permissions: [hostile] });
  await service.services.db
    .updateTable('sessions')
    .set({ user_agent: hostile, ip_address: hostile.slice(0, 40) })
    .execute();
  const { visit } = await openPanel(service);
  for (const path of ['/audit', '/roles', '/sessions', `/users/${ada.user.id}`]) {
    const { html, status } = await visit.open(`/admin${path}`);
    expect([status, path]).toEqual([200, path]);
    expect(html).not.toContain('<img');
  }
});

test('attack: a form with the guard of another session, or without one, is refused', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  const { visit: other } = await openPanel(service);
  const guard = guardOf((await other.open('/admin/roles')).html);
  const none: Record<string, string> = {};
  for (const fields of [{ guard }, none]) {
    const forged = { ...fields, form: 'create', name: 'forged', permissions: '*:*' };
    expect((await visit.post('/admin/roles', forged)).status).toBe(403);
  }
  expect(await service.services.roles.find('forged')).toBeUndefined();
});

test('attack: with read permissions no form is shown, and forms of others are refused', async () => {
  const service = await startWithPages();
  const pages = ['sessions', 'roles', 'settings', 'audit'];
  const permissions = ['admin:access', ...pages.map((name) => `${name}:read`)];
  await addRole(service, 'reader', permissions);
  await addRole(service, 'editor', ['posts:write']);
  const { visit } = await openPanel(service, { role: 'reader' });
  for (const name of pages) {
    const { html, status } = await visit.open(`/admin/${name}`);
    expect([name, status]).toEqual([name, 200]);
    expect(html).not.toMatch(/value="(?:create|delete|set|unset|test-mail|end-session)"/);
    expect(html).not.toContain('href="/admin/users');
  }
  const guard = guardOf((await visit.open('/admin/roles')).html);
  const post = (path: string, fields: Record<string, string>) =>
    visit.post(`/admin${path}`, { guard, ...fields }).then(({ status }) => status);
  expect(await post('/roles', { form: 'create', name: 'mine', permissions: '*:*' })).toBe(403);
  expect(await post('/roles/editor', { form: 'delete' })).toBe(403);
  expect(await post('/settings', { form: 'test-mail', to: 'a@example.com' })).toBe(403);
  expect(await post('/sessions', { form: 'end-session', handle: 'x' })).toBe(403);
  expect((await visit.open('/admin/roles/editor')).status).toBe(403);
});

test('attack: an editor of roles grants no permission that they lack, and changes no role above theirs', async () => {
  const service = await startWithPages();
  await addRole(service, 'clerk', ['admin:access', 'roles:read', 'roles:write']);
  await addRole(service, 'boss', ['users:write']);
  const { visit } = await openPanel(service, { role: 'clerk' });
  const { html } = await visit.open('/admin/roles');
  expect(html).toContain('permission roles:write');
  expect(html).not.toContain('permission users:write');
  expect(html).not.toContain('/admin/roles/boss');
  const refused = await visit.submit('create', { name: 'mine', 'permission users:write': 'on' });
  expect(refused.status).toBe(403);
  const guard = guardOf(html);
  const forged = await visit.post('/admin/roles/boss', { guard, form: 'permissions' });
  expect(forged.status).toBe(403);
});
