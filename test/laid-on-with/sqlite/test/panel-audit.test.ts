import { expect, test } from 'vitest';
import { createPasswordAccount } from './flows/password.js';
import { openPanel } from './panel.js';
import { signInAs } from './sign-in-as.js';
import { startWithPages } from './visitor.js';

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
  for (const result of ['The user was deleted.', 'There is nothing here.']) {
    await visit.open('/admin/users');
    const { html } = await visit.submit('bulk', fields);
    expect(html).toContain(result);
    expect(html).toContain(`>${ada.user.email}<`);
    expect(html).not.toContain(`href="/admin/users/${ada.user.id}"`);
  }
});
