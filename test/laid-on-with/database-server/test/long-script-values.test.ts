import { expect, it } from 'vitest';
import { createWebhook } from '../src/features/webhook-configs/feature.js';
import { addScript, callTools } from './inbound.js';
import { startTestService } from './service.js';

it('a script may name a user by an id that is longer than any here', async () => {
  const service = await startTestService();
  const { services } = service;
  await createWebhook(services, { url: 'http://127.0.0.1:1/', events: ['x.y'] });
  const userId = 'u'.repeat(128);
  await addScript(service, 'result = { event: "x.y", userId: body.id }');

  const { status, body } = await callTools(service, { id: userId });

  expect([status, body]).toEqual([200, { ok: true }]);
  const stored = await services.db.selectFrom('webhook_events').select('body').execute();
  expect(stored.map((event) => JSON.parse(event.body).metadata.userId)).toEqual([userId]);
});
