import { expect, test } from 'vitest';
import { actionsOf, signInAtAdmin } from '../../../../test/administrator.js';
import { startTestService } from '../../../../test/service.js';

test('what is no setting is ignored, as in every body; the answer says what holds now', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  const { body: before } = await client.get('/settings');
  const { status, body } = await client.send('PUT', '/settings', { noSuchSetting: true });
  expect([status, body]).toEqual([200, { success: true, ...before }]);
  expect((await client.get('/settings')).body).toEqual(before);
});

test('a change of nothing is in the audit log as well', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  expect((await client.send('PUT', '/settings', {})).status).toBe(200);
  expect(await actionsOf(service)).toContain('PUT /settings');
});
