import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { addScript, callTools } from '../../../test/inbound.js';
import { startOwnApp } from '../../../test/own-app.js';

test('a signature holds in an app that parses JSON before the service sees it', async () => {
  const app = await startOwnApp();
  await addScript(app, 'result = null', { secret: 'a-shared-secret' });
  const raw = '{ "a" :  1.0, "a": 2 }';
  const signature = createHmac('sha256', 'a-shared-secret').update(raw).digest('hex');
  const headers = { 'x-webhook-signature': `sha256=${signature}` };
  expect(await callTools(app, raw, headers)).toEqual({ status: 200, body: { ok: true } });
  expect((await callTools(app, '{"a":2}', headers)).status).toBe(401);
});
