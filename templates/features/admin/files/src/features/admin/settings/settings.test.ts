import { expect, test } from 'vitest';
import { actionsOf, signInAtAdmin } from '../../../../test/administrator.js';
import { startTestService } from '../../../../test/service.js';

test('unknown settings are refused, and nothing of the request is taken', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  const { body: before } = await client.get('/settings');
  const { status, body } = await client.send('PUT', '/settings', { noSuchSetting: true });
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect((await client.get('/settings')).body).toEqual(before);
});

test('a change of nothing is in the audit log as well', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  expect((await client.send('PUT', '/settings', {})).status).toBe(200);
  expect(await actionsOf(service)).toContain('PUT /settings');
});
