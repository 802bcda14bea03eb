import { expect, test, vi } from 'vitest';
import { commandCall } from '../src/commands/command.js';
import { admin } from '../src/features/admin/feature.js';
import { actionsOf, signInAtAdmin, startWithAdmin } from './administrator.js';
import { nativeClient } from './client.js';
import { addEndpoint, deliveriesOf, startReceiver, untilHolds } from './receiver.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

test('a command that has changed nothing is not in the audit log', async () => {
  const service = await startTestService();
  const again = commandCall(service.services, 'admin again', []);
  await again.commit({ target: null, details: {} }, async () => false);
  expect(await actionsOf(service)).not.toContain('admin again');
});

test('the log keeps the events of a deleted user, but no address, name, IP or device', async () => {
  const { service, client } = await startWithAdmin();
  // Answers with what it is sent.
  const echo = await startReceiver((response) => response.end(echo.received.at(-1)?.text));
  const endpoint = await addEndpoint(service, { url: echo.url });
  const account = { email: 'lovelace@example.com', password: 'correct horse battery staple' };
  const person = nativeClient(service);
  const agent = { 'user-agent': 'Analytical/1.0' };
  await person.post('/register', { ...account, firstName: 'Augusta' }, agent);
  const { accessToken } = (await person.post('/login', account, agent)).body;
  const { sub } = (await nativeClient(service, accessToken).get('/me')).body;
  const added = { provider: 'email', providerAccountId: 'ada.lovelace@example.org' };
  service.services.events.publish('identity.user.linked', added, { userId: sub });
  // What a script may emit: nothing, a text, data of any depth.
  const scripted = [
    ...[null, 'lovelace@example.com', [{ of: { email: 'lovelace@example.com' } }]],
    ...[['lovelace@example.com'], { to: 'Ada <lovelace@example.com>', 'lovelace@example.com': 1 }],
  ];
  for (const data of scripted) service.services.events.publishNamed('x.y', data, { userId: sub });
  await service.events();
  const isSent = ({ state }: { state: string }) => state === 'delivered';
  const areSent = async () => (await deliveriesOf(service, endpoint)).every(isSent);
  await untilHolds(areSent, 'the end of all deliveries');
  const { status } = await nativeClient(service, accessToken).delete('/account', agent);
  expect(status).toBe(200);
  await service.events();
  const { audit } = (await client.get(`/audit?target=${sub}`)).body;
  const actions = audit.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(
    expect.arrayContaining(['identity.user.created', 'identity.user.deleted']),
  );
  expect(JSON.stringify(audit)).not.toMatch(/lovelace|augusta|analytical|127\.0\.0\.1/i);
  const stored = await service.services.db.selectFrom('webhook_events').select('body').execute();
  const bodies = stored.map(({ body }) => body).filter((body) => body.includes(sub));
  expect(bodies.length).toBeGreaterThan(2);
  const attempts = service.services.db.selectFrom('webhook_attempts').select('response');
  const texts = [...bodies, ...(await attempts.execute()).map(({ response }) => response)];
  expect(texts.join()).not.toMatch(/lovelace|augusta|analytical|127\.0\.0\.1/i);
  const order = ['event', 'version', 'timestamp', 'data', 'metadata'];
  for (const body of bodies) expect(Object.keys(JSON.parse(body))).toEqual(order);
});

test('the log names the host of a webhook, not its path, which is often a secret', async () => {
  const { client } = await startWithAdmin();
  const url = 'https://hooks.example.com/services/T0/B0/sesame';
  expect((await client.post('/webhooks', { url, events: ['*'] })).status).toBe(201);
  const { audit } = (await client.get('/audit')).body;
  expect(JSON.stringify(audit)).not.toContain('sesame');
  expect(audit[0].details).toMatchObject({ url: 'https://hooks.example.com' });
});

test('an act of a timer or script on a user is not logged as an act of that user', async () => {
  const { service, client } = await startWithAdmin();
  const { user, sessionId } = await signInAs(service);
  const ended = { sessionId, reason: 'disabled' };
  service.services.events.publish('identity.session.revoked', ended, { userId: user.id });
  await service.events();
  const { body } = await client.get(`/audit?target=${user.id}&event=identity.session.revoked`);
  expect(body.audit).toMatchObject([{ actor: null }]);
});

test('sessions that an administrator cleans up ended by the administrator, of whom their users learn nothing', async () => {
  const service = await startTestService();
  const { user, sessionId } = await signInAs(service);
  service.advance(8 * 24 * 60 * 60_000);
  const { accessToken, client, user: root } = await signInAtAdmin(service);
  await nativeClient(service, accessToken).post('/sessions/cleanup');
  await service.idle();
  const expired = `/audit?target=${user.id}&event=identity.session.expired`;
  const { audit } = (await client.get(expired)).body;
  expect(audit).toMatchObject([{ actor: root.id, details: { sessionId } }]);
  const again = await signInAs(service, { email: user.email });
  const { body } = await again.client.post('/account/export');
  expect(JSON.stringify(body)).not.toContain('session.expired');
});

test('the log names the role or user that was created, and a user whose role was taken', async () => {
  const { service, client } = await startWithAdmin();
  await client.post('/roles', { name: 'editor', permissions: [] });
  const { id } = (await client.post('/users', { email: 'a@example.com', role: 'editor' })).body
    .user;
  await client.delete(`/users/${id}/roles/editor`);
  const entries = async (target: string) => {
    await service.idle();
    const { audit } = (await client.get(`/audit?target=${target}`)).body;
    return audit.filter(({ action }: { action: string }) => action.includes('/'));
  };
  expect(await entries('editor')).toMatchObject([{ action: 'POST /roles' }]);
  expect(await entries(id)).toMatchObject([
    { action: 'DELETE /users/{id}/roles/{name}', details: { name: 'editor' } },
    { action: 'POST /users' },
  ]);
});

test('entries are deleted after AUDIT_RETENTION, and no others', async () => {
  const service = await startTestService({ AUDIT_RETENTION: '30d' });
  const { auditLog } = service.services;
  const entry = { actor: null, target: null, ip: null, userAgent: null, correlationId: null };
  const add = (action: string) => auditLog.append({ ...entry, action, details: {} });
  for (let nth = 0; nth < 3; nth++) await add('old');
  service.advance(30 * 24 * 60 * 60 * 1000 + 1000);
  await add('young');
  await admin.cleanUp(service.services);
  const { items } = await auditLog.search({ limit: 100, offset: 0 });
  expect(items.map(({ action }) => action)).toEqual(['young']);
});

test('all of it is streamed, an entry a line', async () => {
  const { service, accessToken } = await startWithAdmin();
  const cause = { actor: null, target: null, details: {}, ip: null, userAgent: null };
  const entry = { action: 'test', ...cause, correlationId: null };
  for (let count = 0; count < 250; count += 1) await service.services.auditLog.append(entry);
  const response = await fetch(`${service.url}/admin/api/audit?format=ndjson&event=test`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  const lines = (await response.text()).trimEnd().split('\n');
  expect(new Set(lines.map((line) => JSON.parse(line).id)).size).toBe(250);
});

test('the audit log is searched by actor and target, each an id or an address, and by event and time', async () => {
  const { service, client, user } = await startWithAdmin();
  const ada = await signInAs(service);
  await client.post(`/users/${ada.user.id}/disable`);
  const event = encodeURIComponent('POST /users/{id}/disable');
  const found = async (query: string) => (await client.get(`/audit?${query}`)).body.total;
  const [past, future] = ['2020-01-01T00:00:00Z', '2100-01-01T00:00:00Z'];
  expect(await found(`actor=${user.id}&target=${ada.user.id}&event=${event}`)).toBe(1);
  const addresses = {
    actor: user.email,
    target: ada.user.email,
    event: 'POST /users/{id}/disable',
  };
  expect(await found(`${new URLSearchParams(addresses)}`)).toBe(1);
  expect(await found('target=nobody@example.com')).toBe(0);
  expect(await found(`event=${event}&from=${past}&to=${future}`)).toBe(1);
  expect(await found(`event=${event}&to=${past}`)).toBe(0);
  expect(await found(`event=${event}&from=${future}`)).toBe(0);
  expect(await found('event=POST')).toBe(0);
});

test('the overview has the sign-ins of each hour, and the number of those that failed without an account', async () => {
  const { service, client } = await startWithAdmin();
  // No hour may begin but the one that is waited for.
  service.stopClock();
  const { events, workers } = service.services;
  const { user } = await signInAs(service);
  const { hours: before } = (await client.get('/overview')).body;
  const publish = () => {
    events.publish('identity.auth.login.success', { method: 'local' }, { userId: user.id });
    const refused = { method: 'local', reason: 'INVALID_CREDENTIALS', email: user.email };
    events.publish('identity.auth.login.failed', refused, { userId: user.id });
    for (let nth = 0; nth < 5; nth++) workers.admin.count('local');
  };
  publish();
  await service.events();
  await workers.admin.write();
  service.stopClock(60 * 60 * 1000);
  publish();
  await service.events();
  await workers.admin.write();

  // The session of the first hour has expired.
  const { hours } = (await (await signInAtAdmin(service)).client.get('/overview')).body;

  expect(hours).toHaveLength(24);
  const last = ({ succeeded, failed }: (typeof before)[number]) => [succeeded, failed];
  expect(hours.slice(-2).map(last)).toEqual([
    [before.at(-1).succeeded + 1, 6],
    [1, 6],
  ]);
});

test('a refresh is not in the log, even where a webhook takes it', async () => {
  const { service } = await startWithAdmin();
  await addEndpoint(service, { url: 'http://127.0.0.1:1/', events: ['identity.session.rotated'] });
  const { refreshToken } = await signInAs(service);
  expect((await nativeClient(service).post('/refresh', { refreshToken })).status).toBe(200);
  await service.idle();
  const stored = await service.services.db.selectFrom('webhook_events').select('name').execute();
  expect(stored).toEqual([{ name: 'identity.session.rotated' }]);
  expect(await actionsOf(service)).not.toContain('identity.session.rotated');
});

test('no count of refused sign-ins is lost while the database fails, or when the service stops', async () => {
  const { services } = await startTestService();
  const { auditLog, workers } = services;
  const append = vi.spyOn(auditLog, 'append').mockRejectedValueOnce(new Error('down'));
  workers.admin.count('local');
  workers.admin.count('local');
  await expect(workers.admin.write()).rejects.toThrow('down');
  workers.admin.count('local');
  await workers.admin.stop?.();
  expect(append).toHaveBeenLastCalledWith(
    expect.objectContaining({ details: { method: 'local', count: 3 } }),
  );
});

test('the log forgets from where a stolen token was used, once its account is deleted', async () => {
  const { service, client } = await startWithAdmin();
  const { user, refreshToken } = await signInAs(service);
  const thief = nativeClient(service);
  await thief.post('/refresh', { refreshToken });
  service.advance(service.config.REFRESH_REUSE_WINDOW);
  expect((await thief.post('/refresh', { refreshToken })).body.code).toBe('SESSION_REVOKED');
  const revoked = `/audit?target=${user.id}&event=identity.session.revoked`;
  await service.idle();
  expect((await client.get(revoked)).body.audit).toMatchObject([{ ip: '127.0.0.1' }]);
  await client.delete(`/users/${user.id}`);
  await service.idle();
  expect((await client.get(revoked)).body.audit).toMatchObject([{ ip: null, userAgent: null }]);
});
