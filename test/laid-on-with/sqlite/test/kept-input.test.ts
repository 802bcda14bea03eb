import Database from 'libsql';
import { expect, onTestFinished, test, vi } from 'vitest';
import { profileFields } from '../src/policy.js';
import { openPanel } from './panel.js';
import { signedInVisitor, startWithPages, visitor } from './visitor.js';

test('after an error a box stays ticked though its name resembles that of a secret', async () => {
  const service = await startWithPages();
  const { resources } = service.services;
  const { visit } = await openPanel(service);
  // As if a route of the team's own required it.
  const own = resources.map(({ routes, ...resource }) => ({
    ...resource,
    routes: routes.map((route) => ({ ...route, permission: 'tokens:read' })),
  }));
  resources.push(...own);
  await visit.open('/admin/roles');

  const page = await visit.submit('create', { name: 'No name', 'permission tokens:read': 'on' });

  expect([page.status, page.errorOf('name')]).toEqual([400, expect.any(String)]);
  expect(page.valueOf('permission tokens:read')).toBe('on');
});

test('attack: a field whose name is 96 kB long holds up no other request', async () => {
  const person = visitor(await startWithPages());
  await person.open('/auth/ui/login');
  const page = await person.submit('password', { [`${'code'.repeat(24_000)} x`]: '' });
  expect(page.status).toBe(400);
}, 4_000);

test('attack: a form of a thousand fields is refused', async () => {
  const person = visitor(await startWithPages());
  await person.open('/auth/ui/login');
  const fields = Array.from({ length: 1001 }, (_, nth) => [`${nth}`, '']);
  expect((await person.submit('password', Object.fromEntries(fields))).status).toBe(413);
});

test('with the database down a form keeps what was typed, and a page leads to itself', async () => {
  const service = await startWithPages();
  const { services } = service;
  const { person: member } = await signedInVisitor(service);
  const person = visitor(service);
  await person.open('/auth/ui/login');
  const down = async () => {
    throw new Database.SqliteError('database is locked', 'SQLITE_BUSY');
  };
  vi.spyOn(services.users, 'findByEmail').mockImplementation(down);
  vi.spyOn(services.sessions, 'listOfUser').mockImplementation(down);

  const page = await person.submit('password', { email: 'ada@example.com', password: 'any' });
  const list = await member.open('/auth/ui/account/sessions');

  expect([page.status, page.valueOf('email')]).toEqual([503, 'ada@example.com']);
  expect(page.alert).toContain('Try again shortly.');
  expect([list.status, list.html.includes('href="/auth/ui/account/sessions"')]).toEqual([
    503,
    true,
  ]);
});

test('a session that ends in a form of secrets alone promises to keep nothing', async () => {
  const service = await startWithPages();
  const { person, user, sessionId } = await signedInVisitor(service);
  await person.open('/auth/ui/account/password');
  await service.services.sessions.revoke(sessionId, user.id);

  const { html } = await person.submit('change', { newPassword: 'a password that is new' });

  expect(html).toContain('<p class="notice">Your session has ended. Sign in to continue.</p>');
});

test('after an error a field of the profile stays filled though its name resembles that of a code', async () => {
  profileFields.push('postalCode');
  onTestFinished(() => void profileFields.pop());
  const person = visitor(await startWithPages());
  await person.open('/auth/ui/register');

  const page = await person.submit('register', { email: 'ada', postalCode: '1010' });

  expect([page.status, page.valueOf('postalCode')]).toEqual([400, '1010']);
});
