import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { admin } from '../src/features/admin/feature.js';
import { webhooks } from '../src/features/webhooks/feature.js';
import { startWithAdmin } from './administrator.js';
import { addEndpoint, startReceiver, untilHolds } from './receiver.js';
import { startTestService } from './service.js';

test('the list of deliveries carries the number of all attempts, those before a replay included', async () => {
  const { client } = await startWithAdmin();
  const receiver = await startReceiver((response) => response.writeHead(500).end());
  const fields = { url: receiver.url, events: ['none.such'], maxRetries: 1, retryDelayMs: 1 };
  const { id } = (await client.post('/webhooks', fields)).body.webhook;
  await client.post(`/webhooks/${id}/test`);

  const untilGivenUp = async (requests: number) => {
    await receiver.until(requests);
    const read = async () => (await client.get(`/webhooks/${id}/deliveries`)).body.deliveries[0];
    await untilHolds(async () => (await read()).state === 'exhausted', 'the last attempt');
    const listed = await read();
    const { delivery } = (await client.get(`/deliveries/${listed.id}`)).body;
    expect([listed.attemptCount, delivery.attemptCount]).toEqual([requests, requests]);
    expect(delivery.attempts).toHaveLength(requests);
    return listed.id;
  };
  const delivery = await untilGivenUp(2);
  await client.post(`/deliveries/${delivery}/replay`);
  await untilGivenUp(4);
});

test('while old events and entries of the audit log are deleted, others get their turn', async () => {
  const service = await startTestService();
  const { db, transaction } = service.services;
  const fields = { url: 'http://127.0.0.1:1/', isActive: false };
  const { id } = await addEndpoint(service, fields);
  const stored = { name: 'x.y', user_id: null, body: '{}' };
  const add = (count: number) =>
    transaction(async ({ auditLog, webhooks: { queue } }) => {
      for (let nth = 0; nth < count; nth += 1) {
        await queue.enqueue(stored, [id]);
        await auditLog.append({ action: 'test', details: {} });
      }
    });
  await add(1_000);
  service.advance(400 * 24 * 60 * 60_000);
  await add(1);
  for (const { cleanUp } of [webhooks, admin]) {
    let isDone = false;
    const cleaning = cleanUp(service.services).finally(() => {
      isDone = true;
    });
    let turns = 0;
    for (; !isDone; turns += 1) await turn();
    await cleaning;
    expect(turns).toBeGreaterThanOrEqual(10);
  }
  for (const table of ['webhook_events', 'webhook_deliveries', 'audit_log'] as const) {
    expect(await db.selectFrom(table).select('id').execute(), table).toHaveLength(1);
  }
});
