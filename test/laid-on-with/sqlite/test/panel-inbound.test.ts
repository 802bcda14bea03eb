import { expect, test } from 'vitest';
import { addScript, callTools } from './inbound.js';
import { openPanel } from './panel.js';
import type { TestService } from './service.js';
import { startWithPages } from './visitor.js';

const SCRIPT = "// of the panel\nresult = { event: 'x.y', data: await actions['echo.say'](body) }";

/** The webhook of a provider. */
async function webhookOf({ services }: TestService, provider = 'acme') {
  const webhook = await services.webhookConfigs.findInbound(provider);
  if (!webhook) throw new Error(`There is no webhook of ${provider}.`);
  return webhook;
}

test('actions are turned on, allowed to a script, and used by a dry run that shows the result', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  await visit.open('/admin/actions');
  const saved = await visit.submit('save', { 'action echo.say': 'on' });
  expect(saved.html).toContain('Your changes are saved.');
  const blank = await visit.open('/admin/webhooks/inbound/new');
  expect(blank.html).toContain('action echo.say');
  expect(blank.html).not.toContain('action users.find');
  const typed = { provider: 'acme', jsScript: SCRIPT.replace('\n', '\r\n') };
  const made = await visit.submit('create', { ...typed, 'action echo.say': 'on' });
  expect(made.path).toMatch(/^\/admin\/webhooks\/inbound\/[\w-]+$/);
  expect(await webhookOf(service)).toMatchObject({
    jsScript: SCRIPT,
    allowedActions: ['echo.say'],
    events: ['*'],
  });
  const before = (await service.events()).length;
  const tried = await visit.submit('dry-run', { body: '{"a": "<b>"}' });
  expect(tried.html).toContain('The script ran.');
  expect(tried.html).toMatch(/<noscript><p class="aside">Save first: [\s\S]*<\/noscript>\n<button/);
  expect(tried.html).toContain('&quot;a&quot;: &quot;&lt;b&gt;&quot;');
  expect(tried.valueOf('body')).toBe('{"a": "<b>"}');
  expect(await service.events()).toHaveLength(before);
  const refused = await visit.submit('dry-run', { body: '{"a' });
  expect([refused.status, refused.errorOf('body')]).toEqual([400, expect.any(String)]);
  await callTools(service, { b: 1 });
  await service.idle();
  const seen = await visit.open(made.path);
  expect(seen.html).toContain('x.y');
  expect(seen.html).toContain('<dt>Actions</dt><dd>echo.say</dd>');
});

test('attack: what a script logs, throws and answers is shown as text', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  const hostile = '<img src=x onerror=alert(1)></pre>';
  const script = `console.log(${JSON.stringify(hostile)}); result = ${JSON.stringify(hostile)}; if (body.fail) throw new Error(${JSON.stringify(hostile)})`;
  const { id } = await addScript(service, script);
  await callTools(service, { fail: true });
  await service.idle();
  const path = `/admin/webhooks/inbound/${id}`;
  const seen = await visit.open(path);
  const tried = await visit.submit('dry-run', { body: '{}' });
  for (const { html } of [seen, tried]) {
    expect(html).toContain('&lt;img src=x');
    expect(html).not.toContain('<img');
  }
});

test.each(['constructor', '__proto__', 'toString'])(
  'attack: a script that throws `%s` breaks no page',
  async (message) => {
    const service = await startWithPages();
    const { id } = await addScript(service, 'throw new Error(body.message)');
    await callTools(service, { message });
    await service.idle();
    const { visit } = await openPanel(service);
    const page = await visit.open(`/admin/webhooks/inbound/${id}`);
    expect([page.status, page.html.includes(message)]).toEqual([200, true]);
  },
);
