import { expect, test } from 'vitest';
import { hashPassword } from '../src/features/password/password.js';
import { addRole } from './administrator.js';
import { accountAt } from './flows/link.js';
import { enrolTotp } from './flows/totp.js';
import { openPanel } from './panel.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';
import { startWithPages } from './visitor.js';

const PASSWORD = 'correct horse battery';

const TWENTY_MINUTES = 20 * 60_000;

test('attack: the hostile name of an account at a provider is shown as text', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service);
  const account = { ...accountAt('acme', '1'), email: null, name: '<script>alert(1)</script>' };
  await service.services.accountLinking.add(ada.user.id, account);
  const { visit } = await openPanel(service);
  const { html } = await visit.open(`/admin/users/${ada.user.id}`);
  expect(html).toContain('&lt;script&gt;alert(1)');
  expect(html).not.toContain('<script>');
});

test('a setting is changed, says where its value comes from, and goes back to the environment', async () => {
  const service = await startWithPages({ EMAIL_VERIFICATION: 'lazy' });
  const { visit } = await openPanel(service);
  const before = await visit.open('/admin/settings');
  expect(before.html).toContain('<option value="&quot;lazy&quot;" selected>');
  expect(before.html).not.toContain('value="unset"');
  const name = 'emailVerificationMode';
  const set = await visit.submit('set', { name, json: '"none"' });
  expect(set.html).toContain('set here');
  const stored = () => service.services.settings.get(name);
  expect(await stored()).toBe('none');
  const refused = await visit.submit('set', { name, json: '"whatever"' });
  expect([refused.status, await stored()]).toEqual([400, 'none']);
  await visit.submit('unset');
  expect(await stored()).toBeUndefined();
});

test('an unconfirmed address is mailed its link again', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service, { email: 'ada@example.com', isEmailProven: false });
  const { visit } = await openPanel(service);
  await visit.open(`/admin/users/${ada.user.id}`);
  await visit.submit('verify-email');
  expect((await service.mails()).map(({ to }) => to)).toContain('ada@example.com');
});

test('second factors are shown, and reset with permission to change users', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service);
  await enrolTotp(ada);
  await service.services.password.save(ada.user.id, await hashPassword(PASSWORD, 10));
  await service.services.sms.saveNumber(ada.user.id, '+4915112345678');
  await addRole(service, 'reader', ['admin:access', 'users:read']);
  const { visit: reader } = await openPanel(service, { role: 'reader' });
  const read = await reader.open(`/admin/users/${ada.user.id}`);
  expect(read.html).toContain('>Authenticator app</span>');
  expect(read.html).toContain('>Phone</span>');
  expect(read.html).not.toContain('value="reset-factors"');
  const { visit } = await openPanel(service);
  await visit.open(`/admin/users/${ada.user.id}`);
  expect((await visit.submit('reset-factors')).html).toContain('None is set up.');
  expect((await service.services.users.findAccount(ada.user.id))?.isTotpEnabled).toBe(false);
});

test('an act asks for a proof in place, and continues with it, whatever body its route takes', async () => {
  const service = await startWithPages();
  const { user, visit } = await openPanel(service);
  await service.services.password.save(user.id, await hashPassword(PASSWORD, 10));
  const metadataOf = async () => (await service.services.users.findById(user.id))?.metadata;
  service.advance(TWENTY_MINUTES);
  await visit.open(`/admin/users/${user.id}`);
  const asked = await visit.submit('metadata', { metadata: '{"plan": "pro"}' });
  expect([asked.status, await metadataOf()]).toEqual([403, {}]);
  expect(asked.html.match(/role="alert"/g)).toHaveLength(1);
  expect(asked.valueOf('metadata')).toBe('{"plan": "pro"}');
  const wrong = await visit.submit('metadata', { currentPassword: 'wrong' });
  expect(wrong.errorOf('currentPassword')).toEqual(expect.any(String));
  await visit.submit('metadata', { currentPassword: PASSWORD });
  expect(await metadataOf()).toEqual({ plan: 'pro' });
  service.advance(TWENTY_MINUTES);
  await visit.open(`/admin/users/${user.id}`);
  await visit.submit('disable');
  expect((await visit.submit('disable', { currentPassword: PASSWORD })).html).toContain(
    'The last administrator cannot be removed.',
  );
});

test.each([
  [{ ADMIN_PREFIX: '/auth' }, 'GET /auth/sessions'],
  [{ AUTH_PREFIX: '/admin/api' }, 'GET /admin/api/sessions'],
])(
  'with prefixes that overlap, %o, it does not start, and names a route that is there twice',
  async (prefixes, route) => {
    await expect(startTestService(prefixes)).rejects.toThrow(`Two routes are ${route}`);
  },
);

test('a role is created, changed and deleted; its permissions are ticked or typed', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  await visit.open('/admin/roles');
  const ticked = { 'permission users:read': 'on', permissions: 'posts:write' };
  const refused = await visit.submit('create', { ...ticked, name: 'No Name' });
  expect([refused.status, refused.errorOf('name')]).toEqual([400, expect.any(String)]);
  expect(refused.valueOf('permission users:read')).toBe('on');
  await visit.submit('create', { ...ticked, name: 'editor' });
  const { services } = service;
  expect((await services.roles.find('editor'))?.permissions).toEqual(['posts:write', 'users:read']);
  const page = await visit.open('/admin/roles/editor');
  expect([page.valueOf('permission users:read'), page.valueOf('permissions')]).toEqual([
    'on',
    'posts:write',
  ]);
  await visit.submit('permissions', { 'permission roles:read': 'on' });
  expect((await services.roles.find('editor'))?.permissions).toContain('roles:read');
  expect((await visit.submit('delete')).path).toBe('/admin/roles?done=delete');
  expect(await services.roles.find('editor')).toBeUndefined();
});

test('a session is found by the address of its user, and ended', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service, { email: 'ada@example.com' });
  const { visit } = await openPanel(service);
  expect((await visit.open('/admin/sessions')).html).toContain('>this device<');
  const found = await visit.open('/admin/sessions?filter=ada@');
  expect(found.html).toContain(`/admin/users/${ada.user.id}`);
  expect(found.html).not.toContain('>this device<');
  expect((await visit.submit('end-session')).html).toContain('That session has ended.');
  expect((await ada.client.get('/me')).body.code).toBe('SESSION_REVOKED');
});

test('a session that somebody else has ended meanwhile is said to be gone, in the language of the page', async () => {
  const service = await startWithPages();
  const ada = await signInAs(service, { email: 'ada@example.com' });
  const { visit } = await openPanel(service);
  await visit.open('/admin/sessions?filter=ada@');
  await service.services.sessions.revoke(ada.sessionId, ada.user.id);
  const late = await visit.submit('end-session', {}, { 'accept-language': 'de' });
  expect([late.status, late.alert]).toEqual([404, 'Diese Sitzung gibt es nicht mehr.']);
});

test('a role is shown only to those who may read roles', async () => {
  const service = await startWithPages();
  await addRole(service, 'writer', ['admin:access', 'roles:write']);
  await addRole(service, 'editor', ['admin:access']);
  const { visit } = await openPanel(service, { role: 'writer' });
  expect((await visit.open('/admin/roles/editor')).status).toBe(403);
});
