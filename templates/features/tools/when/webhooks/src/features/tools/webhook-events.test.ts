import { expect, test } from 'vitest';
import { addScript, callTools } from '../../../test/inbound.js';
import { startTestService } from '../../../test/service.js';

test.each([
  ['no webhook', "{ event: 'identity.webhook.test' }"],
  ['an odd webhook', "{ event: 'identity.webhook.deactivated', data: { webhookId: {} } }"],
])('attack: an event about %s is acknowledged like any other', async (_, result) => {
  const service = await startTestService();
  await addScript(service, `result = ${result}`);
  expect(await callTools(service)).toEqual({ status: 200, body: { ok: true } });
});
