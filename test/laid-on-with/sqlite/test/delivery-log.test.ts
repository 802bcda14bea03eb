import { expect, test } from 'vitest';
import { startWithAdmin } from './administrator.js';
import { startReceiver, untilHolds } from './receiver.js';

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
