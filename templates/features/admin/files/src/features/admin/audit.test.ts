import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { signInAtAdmin } from '../../../test/administrator.js';
import { runCommand } from '../../../test/command.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { commandCall } from '../../commands/command.js';

const CLI = `cli:${userInfo().username}`;

test('what a command changes is in the audit log, by the user of the system who ran it', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  const { user } = await signInAs(service, { email: 'ada@example.com' });
  const [saved, disabled] = await Promise.all([
    runCommand(service, 'roles', ['save', 'editor', 'posts:write']),
    runCommand(service, 'admin', ['disable', user.email]),
  ]);
  expect([saved.stderr, disabled.stderr]).toEqual(['', '']);
  const again = commandCall(service.services, 'admin again', []);
  await again.commit({ target: user.id, details: {} }, async () => false);
  const { body } = await client.get(`/audit?actor=${CLI}`);
  const entries = body.audit.map((entry: { action: string; target: string; details: object }) => {
    return [entry.action, entry.target, entry.details];
  });
  expect(entries.sort()).toEqual([
    ['admin disable', user.id, {}],
    ['identity.session.revoked', user.id, expect.objectContaining({ reason: 'disabled' })],
    ['roles save', 'editor', { permissions: ['posts:write'] }],
  ]);
}, 30_000);

test('what a timer or a script does to somebody is not logged as that person', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  const { user, sessionId } = await signInAs(service);
  const ended = { sessionId, reason: 'disabled' };
  service.services.events.publish('identity.session.revoked', ended, { userId: user.id });
  await service.events();
  const { body } = await client.get(`/audit?target=${user.id}&event=identity.session.revoked`);
  expect(body.audit).toMatchObject([{ actor: null }]);
});

test('the audit log is searched by actor, target, event and time', async () => {
  const service = await startTestService();
  const { client, user } = await signInAtAdmin(service);
  const ada = await signInAs(service);
  await client.post(`/users/${ada.user.id}/disable`);
  const event = encodeURIComponent('POST /users/{id}/disable');
  const found = async (query: string) => (await client.get(`/audit?${query}`)).body.total;
  const [past, future] = ['2020-01-01T00:00:00Z', '2100-01-01T00:00:00Z'];
  expect(await found(`actor=${user.id}&target=${ada.user.id}&event=${event}`)).toBe(1);
  expect(await found(`event=${event}&from=${past}&to=${future}`)).toBe(1);
  expect(await found(`event=${event}&to=${past}`)).toBe(0);
  expect(await found(`event=${event}&from=${future}`)).toBe(0);
  expect(await found('event=POST')).toBe(0);
});

test('/admin is nothing as long as there is no page', async () => {
  const { config, url } = await startTestService();
  for (const path of ['', '/', '/api']) {
    expect((await fetch(`${url}${config.ADMIN_PREFIX}${path}`)).status).toBe(404);
  }
});
