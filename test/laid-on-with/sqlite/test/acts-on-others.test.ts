import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { mountsOf } from '../src/http/route.js';
import { addRole, signInAtAdmin, startWithAdmin } from './administrator.js';
import { SECRETS } from './environment.js';
import { enrolTotp } from './flows/totp.js';
import { runCommand } from './process.js';
import { addEndpoint } from './receiver.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const ROOT = new URL('../', import.meta.url);
const CLI = `cli:${userInfo().username}`;
const PASSWORD = 'Correct-horse-9-battery-staple!';

/** Entries added to the audit log since the last call. */
function newEntries({ idle, services }: TestService) {
  const known = new Set<string>();
  return async () => {
    await idle();
    const { items } = await services.auditLog.search({ limit: 1000, offset: 0 });
    const added = items.filter(({ id }) => !known.has(id));
    for (const { id } of added) known.add(id);
    return added;
  };
}

/** Every sub-command that opens the services, such as `roles give`: all others only read, or migrate. */
function subCommands(): string[] {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(new URL('package.json', ROOT), 'utf8'),
  );
  return Object.entries(scripts).flatMap(([name, script]) => {
    const [, file] = /^tsx (src\/commands\/\S+)$/.exec(script) ?? [];
    const text = file ? readFileSync(new URL(file, ROOT), 'utf8') : '';
    const [, list = ''] = /^await runCommands\([^{]*\{\n([\s\S]*?)^\}/m.exec(text) ?? [];
    const methods = list.matchAll(/^ {2}(?:async )?(\w+)[(:]/gm);
    return [...methods].map(([, method]) => `${name} ${method}`);
  });
}

test('every command that changes something has its entry, by the user of the system who ran it', async () => {
  const service = await startTestService();
  const ada = await signInAs(service, { email: 'ada@example.com' });
  await enrolTotp(ada);
  const { user } = ada;
  const url = 'http://127.0.0.1:1/';
  const endpoint = await addEndpoint(service, { url, events: ['identity.tenant.created'] });
  const target = user.id;
  const keys = { DATA_KEY: `the key that comes after the first one,${SECRETS.DATA_KEY}` };
  const changes: [string, string[], { target: string | null; details: object }][] = [
    [
      'admin create',
      ['grace@example.com', '--password-stdin'],
      { target: null, details: { role: 'admin' } },
    ],
    ['admin promote', [user.email], { target, details: { role: 'admin' } }],
    ['admin disable', [user.email], { target, details: {} }],
    ['admin enable', [user.email], { target, details: {} }],
    ['second-factors reset', [user.email], { target, details: {} }],
    [
      'roles save',
      ['editor', 'posts:write'],
      { target: 'editor', details: { permissions: ['posts:write'] } },
    ],
    ['roles give', ['editor', user.email], { target, details: { role: 'editor' } }],
    ['roles take', ['editor', user.email], { target, details: { role: 'editor' } }],
    ['roles delete', ['editor'], { target: 'editor', details: {} }],
    [
      'webhooks add',
      [url, 'identity.user.created'],
      { target: null, details: { url: new URL(url).origin, events: ['identity.user.created'] } },
    ],
    ['webhooks test', [endpoint.id], { target: endpoint.id, details: {} }],
    ['webhooks remove', [endpoint.id], { target: endpoint.id, details: {} }],
    // The secret of the endpoint that was added.
    ['keys reseal', [], { target: null, details: { resealed: 1 } }],
  ];

  const changing = subCommands().filter((command) => !command.endsWith(' list'));
  expect(changing.sort()).toEqual(changes.map(([command]) => command).sort());

  const added = newEntries(service);
  await added();
  for (const [command, args, expected] of changes) {
    const [name = '', ...which] = command.split(' ');
    const environment = { ...service.environment, ...(name === 'keys' ? keys : {}) };
    const ran = await runCommand({ environment }, name, [...which, ...args], PASSWORD);
    expect([command, ran.code, ran.stderr]).toEqual([command, 0, '']);
    const entries = await added();
    // Its events too: the user whom a command changes is not its actor.
    expect([command, ...new Set(entries.map(({ actor }) => actor))]).toEqual([command, CLI]);
    const own = entries.filter(({ action }) => action === command);
    expect([command, own]).toMatchObject([command, [expected]]);
  }
}, 180_000);

test('an act of an administrator on a user has the administrator as its actor, whatever the route', async () => {
  const service = await startTestService();
  const { services } = service;
  const { client, user: root } = await signInAtAdmin(service);
  await services.roles.create({ name: 'editor', permissions: [] });
  const acts: [string, body?: object][] = [
    ['PUT /users/{id}/metadata', { firstName: 'Ada' }],
    ['POST /users/{id}/send-verification-email'],
    ['POST /users/{id}/roles', { role: 'editor' }],
    ['DELETE /users/{id}/roles/{name}'],
    ['POST /users/{id}/factors/reset'],
    ['DELETE /users/{id}/sessions'],
    ['POST /users/{id}/disable'],
    ['POST /users/{id}/enable'],
    ['DELETE /sessions/{handle}'],
    ['POST /users/bulk', { act: 'delete' }],
    ['DELETE /users/{id}'],
  ];
  const prefix = `${service.config.ADMIN_PREFIX}/api`;
  const routes = mountsOf(services).find((mount) => mount.prefix === prefix)?.routes ?? [];
  const changing = routes
    .filter(({ method, path }) => method !== 'GET' && /^\/(users|sessions)\b./.test(path))
    .map(({ method, path }) => `${method} ${path}`);
  expect(changing.sort()).toEqual(acts.map(([route]) => route).sort());

  const added = newEntries(service);
  for (const [route, body] of acts) {
    const resetsFactors = route.endsWith('/factors/reset');
    const person = await signInAs(service, { isEmailProven: resetsFactors });
    const { user, sessionId } = person;
    if (resetsFactors) await enrolTotp(person);
    if (route.endsWith('/roles/{name}')) await services.userRoles.assign(user.id, 'editor');
    await added();
    const [method = '', path = ''] = route.split(' ');
    const filled = path
      .replace('{id}', user.id)
      .replace('{name}', 'editor')
      .replace('{handle}', sessionId);
    const sent = body && route.endsWith('bulk') ? { ...body, ids: [user.id] } : body;
    const { status, body: answer } = await client.send(method, filled, sent);
    expect([route, status, answer.code]).toEqual([route, 200, undefined]);
    const entries = await added();
    expect(entries.map(({ action }) => action)).toContain(route);
    expect([route, ...new Set(entries.map(({ actor }) => actor))]).toEqual([route, root.id]);
  }
});

test('a change of settings has the old and the new value, whichever route makes it', async () => {
  const { service, client, user } = await startWithAdmin();
  const added = newEntries(service);
  await added();
  const { body: before } = await client.get('/settings');
  await client.post('/2fa-policy', { required: true });
  await client.send('PUT', '/settings', { require2FA: null, enabledWebhookActions: [] });
  const old = before.settings.enabledWebhookActions;
  const entries = (await added()).toReversed();
  expect(entries).toMatchObject([
    {
      action: 'POST /2fa-policy',
      actor: user.id,
      details: { require2FA: { old: false, new: true } },
    },
    {
      action: 'PUT /settings',
      actor: user.id,
      details: {
        require2FA: { old: true, new: false },
        enabledWebhookActions: { old, new: [] },
      },
    },
  ]);
});

test('attack: an export hands out no audit log to who may not read it, not even what its subject has done', async () => {
  const { service, client, user: root } = await startWithAdmin();
  await client.post('/users', { email: 'ada@example.com', role: 'user' });
  await addRole(service, 'support', ['admin:access', 'users:read']);
  const support = await signInAtAdmin(service, { role: 'support' });
  const { status, body } = await support.client.get(`/users/${root.id}/export`);
  expect([status, body.data.audit_log]).toEqual([200, undefined]);
  expect(body.data.users).toHaveLength(1);
});

test('attack: an administrator neither takes a role from one with more permissions nor gives them another', async () => {
  const { service } = await startWithAdmin();
  await addRole(service, 'a', ['users:write']);
  await addRole(service, 'b', ['webhooks:write', 'settings:write']);
  await addRole(service, 'lesser', ['roles:write', 'users:write']);
  const greater = await signInAs(service, { role: 'a' });
  await service.services.userRoles.assign(greater.user.id, 'b');
  const { client } = await signInAtAdmin(service, { role: 'lesser' });
  const path = `/users/${greater.user.id}/roles`;
  expect((await client.delete(`${path}/a`)).body.code).toBe('FORBIDDEN');
  expect((await client.post(path, { role: 'lesser' })).body.code).toBe('FORBIDDEN');
});
