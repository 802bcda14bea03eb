import { expect, test } from 'vitest';
import { signInAtAdmin } from '../../../../test/administrator.js';
import { startTestService } from '../../../../test/service.js';
import { createWebhook } from '../save-webhook.js';

test('a webhook of a feature that was taken out is listed and deleted, and hides no other', async () => {
  const service = await startTestService();
  const { client } = await signInAtAdmin(service);
  // Neither a url nor a provider: of no kind.
  const config = await createWebhook(service.services, { events: ['*'] });
  const { status, body } = await client.get('/webhooks');
  expect([status, body.total]).toEqual([200, 1]);
  expect(body.webhooks).toMatchObject([{ id: config?.id, isActive: true, secret: null }]);
  const path = `/webhooks/${config?.id}`;
  expect((await client.get(path)).body.webhook.id).toBe(config?.id);
  expect((await client.patch(path, { isActive: false })).body.code).toBe('WEBHOOK_NOT_FOUND');
  expect((await client.delete(path)).status).toBe(200);
});
