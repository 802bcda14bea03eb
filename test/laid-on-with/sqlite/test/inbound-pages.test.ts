import { expect, test } from 'vitest';
import { hashPassword } from '../src/features/password/password.js';
import { addRole, signInAtAdmin } from './administrator.js';
import { addScript } from './inbound.js';
import { guardOf, openPanel } from './panel.js';
import type { TestService } from './service.js';
import { signInAs } from './sign-in-as.js';
import { type SeenPage, startWithPages } from './visitor.js';

/** The webhook of a provider. */
async function webhookOf({ services }: TestService, provider = 'acme') {
  const webhook = await services.webhookConfigs.findInbound(provider);
  if (!webhook) throw new Error(`There is no webhook of ${provider}.`);
  return webhook;
}

const SCRIPT = "// of the panel\nresult = { event: 'x.y', data: await actions['echo.say'](body) }";

test('the panel shows actions in the language of the reader, the API in English', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  const seen = await visit.open('/admin/actions', { 'accept-language': 'de' });
  expect(seen.html).toContain('Listet die Sitzungen des Kontos {id} auf.');
  const { client } = await signInAtAdmin(service);
  const { body } = await client.get('/actions');
  const description = 'Lists the sessions of the user {id}.';
  const listed = expect.objectContaining({ label: 'Sessions of a user', description });
  expect(body.actions).toContainEqual(listed);
});

test('an error of a script is shown beside it; all input but the secret is kept', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  await addScript(service, '', { provider: 'taken' }, ['mail.send']);
  await visit.open('/admin/webhooks/inbound/new');
  const typed = {
    provider: 'acme',
    jsScript: '// of the panel\nlet x = ;',
    secret: 'a-shared-secret',
  };
  const refused = await visit.submit('create', { ...typed, 'action mail.send': 'on' });
  expect([refused.status, refused.errorOf('jsScript')]).toEqual([
    400,
    expect.stringMatching(/^Line 2, column 9: /),
  ]);
  const german = await visit.submit('create', typed, { 'accept-language': 'de' });
  expect(german.errorOf('jsScript')).toMatch(/^Zeile 2, Spalte 9: .*;/);
  const jsScript = 'result = await import("fs")';
  const imports = await visit.submit('create', { ...typed, jsScript }, { 'accept-language': 'de' });
  expect(imports.errorOf('jsScript')).toBe('import() und import.meta sind nicht erlaubt.');
  expect(refused.valueOf('jsScript')).toBe(typed.jsScript);
  expect(refused.valueOf('action mail.send')).toBe('on');
  expect(refused.html).not.toContain('a-shared-secret');
  const unsigned = await visit.submit('create', { jsScript: '' });
  expect(unsigned.errorOf('secret')).toEqual(expect.any(String));
  const taken = await visit.submit('create', { provider: 'taken', secret: 'a-shared-secret' });
  expect([taken.status, taken.errorOf('provider')]).toEqual([409, expect.any(String)]);
});

test('a secret is kept where its field stays empty, and removed where that is ticked', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  await service.services.settings.set('enabledWebhookActions', ['echo.say']);
  expect((await visit.open('/admin/webhooks/inbound/new')).html).toContain('Secret (optional)');
  const made = await visit.submit('create', { provider: 'acme', secret: 'a-shared-secret' });
  expect((await visit.open(made.path)).heading).toBe('acme');
  await visit.submit('save', { events: 'x.y' });
  expect(await webhookOf(service)).toMatchObject({
    events: ['x.y'],
    sealedSecret: expect.any(String),
  });
  const wrong = await visit.submit('save', { unsigned: 'on', provider: 'no/path' });
  expect([wrong.status, wrong.valueOf('unsigned')]).toEqual([400, 'on']);
  await visit.submit('save', { provider: 'acme' });
  expect((await webhookOf(service)).sealedSecret).toBeNull();
});

/** The secret's field: its error, and whether browsers insist on it. */
const secretOf = (page: SeenPage) => [
  page.errorOf('secret'),
  / name="secret"[^>]* required/.test(page.html),
];
const PASSWORD = 'correct horse battery';
const RETYPE = ['Type it again: secrets are not kept.', true];

test('a secret that was typed must be typed again after an error elsewhere', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  expect(secretOf(await visit.open('/admin/webhooks/inbound/new'))).toEqual([undefined, false]);
  const secret = 'a-shared-secret';
  const broken = await visit.submit('create', { provider: 'acme', jsScript: 'let x = ;', secret });
  expect(secretOf(broken)).toEqual(RETYPE);
  // For a browser that does not insist on it, the page does again.
  const short = await visit.submit('create', { secret: 'short' });
  expect(secretOf(short)).toEqual([expect.stringMatching(/at least 8/), true]);
  await visit.submit('create', { jsScript: '', secret });
  expect((await webhookOf(service)).sealedSecret).toEqual(expect.any(String));
});

test('without a secret none is asked for after an error', async () => {
  const { visit } = await openPanel(await startWithPages());
  await visit.open('/admin/webhooks/inbound/new');
  const broken = await visit.submit('create', {
    provider: 'acme',
    jsScript: 'let x = ;',
    secret: '',
  });
  expect(secretOf(broken)).toEqual([undefined, false]);
});

test('a secret that was typed must be typed again beside the proof of a session that is too old', async () => {
  const service = await startWithPages();
  const { user, visit } = await openPanel(service);
  await service.services.password.save(user.id, await hashPassword(PASSWORD, 10));
  const proof = { currentPassword: PASSWORD };
  const secret = 'a-shared-secret';
  await visit.open('/admin/webhooks/inbound/new');
  service.advance(service.config.REAUTH_WINDOW + 1_000);
  const asked = await visit.submit('create', { provider: 'acme', secret });
  expect([asked.status, ...secretOf(asked)]).toEqual([403, ...RETYPE]);
  const made = await visit.submit('create', { ...proof, secret });
  const { sealedSecret } = await webhookOf(service);
  expect(sealedSecret).toEqual(expect.any(String));

  await visit.open(made.path);
  service.advance(service.config.REAUTH_WINDOW + 1_000);
  const edited = await visit.submit('save', { secret: 'another-secret' });
  expect([edited.status, ...secretOf(edited)]).toEqual([403, ...RETYPE]);
  await visit.submit('save', { ...proof, secret: 'another-secret' });
  expect((await webhookOf(service)).sealedSecret).not.toBe(sealedSecret);
});

test('a secret that was typed must be typed again after signing in again', async () => {
  const service = await startWithPages();
  const { user, visit } = await openPanel(service);
  await visit.open('/admin/webhooks/inbound/new');
  await service.services.sessions.revokeAllOfUser(user.id);
  await visit.submit('create', { provider: 'acme', secret: 'a-shared-secret' });
  const { accessToken } = await signInAs(service, { email: user.email });
  visit.cookies.set('accessToken', accessToken);
  const resumed = await visit.open('/admin/webhooks/inbound/new');
  expect([resumed.valueOf('provider'), ...secretOf(resumed)]).toEqual(['acme', ...RETYPE]);
  await visit.submit('create', { secret: 'a-shared-secret' });
  expect((await webhookOf(service)).sealedSecret).toEqual(expect.any(String));
});

test('an error of a webhook is shown beside its field, and all input is kept', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  await visit.open('/admin/webhooks/outgoing/new');
  const wrong = { url: 'ftp://example.com', events: 'not/allowed', maxRetries: 'many' };
  const refused = await visit.submit('create', wrong);
  expect(refused.status).toBe(400);
  for (const [name, value] of Object.entries(wrong)) {
    expect([refused.errorOf(name), refused.valueOf(name)]).toEqual([expect.any(String), value]);
  }
});

test('attack: a writer of webhooks is offered no action beyond their own permissions', async () => {
  const service = await startWithPages();
  const { id } = await addScript(service, SCRIPT, { secret: 'a-shared-secret' });
  await addRole(service, 'clerk', ['admin:access', 'webhooks:*', 'settings:*']);
  const { visit } = await openPanel(service, { role: 'clerk' });
  const blank = await visit.open('/admin/webhooks/inbound/new');
  expect(blank.html).toContain('action echo.say');
  expect(blank.html).not.toContain('action users.disable');
  const forged = { provider: 'own', secret: 'a-shared-secret', 'action users.disable': 'on' };
  expect((await visit.submit('create', forged)).status).toBe(403);
  const page = await visit.open(`/admin/webhooks/inbound/${id}`);
  expect(page.html).not.toMatch(/value="(?:save|dry-run|on)"/);
  const guard = guardOf(page.html);
  const dryRun = { guard, form: 'dry-run', body: '{}' };
  expect((await visit.post(page.path, dryRun)).status).toBe(403);
  await service.services.settings.set('enabledWebhookActions', ['echo.say']);
  const actions = await visit.open('/admin/actions');
  expect(actions.html).not.toContain('name="action users.disable"');
  expect((await visit.submit('save', { 'action users.disable': 'on' })).status).toBe(403);
});
