import { expect, test } from 'vitest';
import { addRole } from './administrator.js';
import { guardOf, openPanel } from './panel.js';
import { addEndpoint, startReceiver, untilState } from './receiver.js';
import type { TestService } from './service.js';
import { startWithPages } from './visitor.js';

const fields = { url: 'https://example.com/hook', events: 'identity.user.created, x.y' };

/** The one webhook there is. */
async function onlyWebhook({ services }: TestService) {
  const { items } = await services.webhookConfigs.list({ limit: 10, offset: 0 });
  if (!items[0]) throw new Error('There is no webhook.');
  return items[0];
}

test.each([
  ['on', 'http or https.'],
  ['off', 'http or https, not in a private network.'],
])('with WEBHOOK_ALLOW_PRIVATE=%s the URL of a webhook is asked for as %s', async (...row) => {
  const [WEBHOOK_ALLOW_PRIVATE, hint] = row;
  const { visit } = await openPanel(await startWithPages({ WEBHOOK_ALLOW_PRIVATE }));
  expect((await visit.open('/admin/webhooks/outgoing/new')).html).toContain(hint);
});

test('an outgoing webhook is created, its secret shown once, changed, turned off and on, and deleted', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  await visit.open('/admin/webhooks/outgoing/new');
  const made = await visit.submit('create', fields);
  expect([made.status, made.heading]).toEqual([200, fields.url]);
  const secret = /whsec_[A-Za-z0-9+/]{32}/.exec(made.html)?.[0] ?? 'none';
  expect(made.html).toContain(secret);
  expect(made.headers.get('cache-control')).toBe('no-store');
  const { id } = await onlyWebhook(service);
  const path = `/admin/webhooks/outgoing/${id}`;
  expect((await visit.open('/admin/webhooks')).html).toContain(`href="${path}"`);
  expect((await visit.open(path)).html).not.toContain(secret);
  await visit.submit('save', { events: '*', maxRetries: '5' });
  expect(await onlyWebhook(service)).toMatchObject({ events: ['*'], maxRetries: 5 });
  const off = await visit.submit('off');
  expect(off.html).toContain('Your changes are saved.');
  expect(off.html).not.toContain('value="test"');
  expect((await onlyWebhook(service)).isActive).toBe(false);
  await visit.submit('on');
  expect((await onlyWebhook(service)).isActive).toBe(true);
  const rotated = await visit.submit('rotate');
  expect(rotated.html).toMatch(/whsec_[A-Za-z0-9+/]{32}/);
  expect(rotated.html).not.toContain(secret);
  await visit.open(path);
  expect((await visit.submit('delete')).html).toContain('The webhook was deleted.');
  expect((await visit.open(path)).status).toBe(404);
});

test('a reload of a new secret makes no other one, and shows it no more', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  await visit.open('/admin/webhooks/outgoing/new');
  const made = await visit.submit('create', fields);
  expect((await visit.open(made.path)).html).not.toContain('whsec_');
  const { id, sealedSecret } = await onlyWebhook(service);
  expect(made.path).toBe(`/admin/webhooks/outgoing/${id}`);
  const rotated = await visit.submit('rotate');
  expect(rotated.html).toContain('whsec_');
  const after = await onlyWebhook(service);
  expect(after.sealedSecret).not.toBe(sealedSecret);
  expect((await visit.open(rotated.path)).html).not.toContain('whsec_');
  expect(await onlyWebhook(service)).toEqual(after);
});

test('attack: a new secret is shown to no other session, and none that was planted is shown', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  const { visit: next } = await openPanel(service);
  await visit.open('/admin/webhooks/outgoing/new');
  const guard = guardOf((await visit.open('/admin/roles')).html);
  const made = await fetch(`${service.url}/admin/webhooks/outgoing/new`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      ...fields,
      maxRetries: '1',
      retryDelayMs: '1',
      form: 'create',
      guard: guard ?? '',
    }),
    headers: { cookie: `accessToken=${visit.cookies.get('accessToken')}` },
  });
  const [cookie = ''] = made.headers.getSetCookie();
  expect(cookie).toMatch(
    /^carried=[^;]+; Max-Age=900; Path=\/admin\/webhooks\/outgoing\/[\w-]+; HttpOnly;/,
  );
  const path = made.headers.get('location') ?? '';
  const sealed = /=([^;]+)/.exec(cookie)?.[1] ?? '';
  for (const value of [sealed, 'whsec_planted', `${sealed.slice(0, -2)}AA`]) {
    next.cookies.set('carried', value);
    expect((await next.open(path)).html).not.toContain('whsec_');
  }
  visit.cookies.set('carried', sealed);
  expect((await visit.open(path)).html).toContain('whsec_');
});

test('attack: what a receiver answers, and a script as a URL, are shown as text', async () => {
  const service = await startWithPages({ WEBHOOK_ALLOW_PRIVATE: 'on' });
  const { visit } = await openPanel(service);
  const hostile = '</pre><script>alert(1)</script><a href="javascript:alert(1)">';
  const receiver = await startReceiver((response) => {
    response.statusCode = 500;
    response.end(hostile);
  });
  const webhook = await addEndpoint(service, {
    url: receiver.url,
    maxRetries: 0,
    events: ['none'],
  });
  const path = `/admin/webhooks/outgoing/${webhook.id}`;
  await visit.open(path);
  expect((await visit.submit('test')).html).toContain('identity.webhook.test');
  const { id } = await untilState(service, webhook, 'exhausted');
  const delivery = await visit.open(`/admin/webhooks/deliveries/${id}`);
  expect(delivery.html).toContain('&lt;/pre&gt;&lt;script&gt;alert(1)');
  expect(delivery.html).not.toContain('<script>');
  expect(delivery.html).not.toContain('href="javascript:');
  const overview = await visit.open('/admin');
  expect(overview.html).toMatch(/Deliveries failing<\/dt><dd>1</);
  expect(overview.html).toContain(`<a href="${path}">`);
  await visit.open(`/admin/webhooks/deliveries/${id}`);
  await visit.submit('replay');
  await receiver.until(2);
  await addEndpoint(service, { url: 'javascript:alert(1)//' });
  for (const page of ['/admin/webhooks', path]) {
    expect((await visit.open(page)).html).not.toContain('href="javascript:');
  }
});

test('attack: with permission to read webhooks only no form is shown, and the form of another session is refused', async () => {
  const service = await startWithPages();
  await addRole(service, 'reader', ['admin:access', 'webhooks:read']);
  const { visit: admin } = await openPanel(service);
  const { visit: reader } = await openPanel(service, { role: 'reader' });
  const { visit: stranger } = await openPanel(service, { role: 'user' });
  const { id } = await addEndpoint(service, { url: fields.url });
  const path = `/admin/webhooks/outgoing/${id}`;
  const page = await reader.open(path);
  expect(page.html).not.toMatch(/value="(?:save|off|on|delete|test|rotate)"/);
  const own = { guard: guardOf(page.html), form: 'delete' };
  expect((await reader.post(path, own)).status).toBe(403);
  expect((await reader.open('/admin/webhooks/outgoing/new')).status).toBe(403);
  expect((await stranger.open(path)).status).toBe(403);
  // No inbound webhook, whose page it would break.
  expect((await admin.open(path.replace('outgoing', 'inbound'))).status).toBe(404);
  const foreign = { guard: guardOf((await admin.open(path)).html), form: 'delete' };
  const { visit: other } = await openPanel(service);
  expect((await other.post(path, foreign)).status).toBe(403);
  expect((await onlyWebhook(service)).id).toBe(id);
});
