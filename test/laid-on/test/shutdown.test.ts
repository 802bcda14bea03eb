import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { addScript } from './inbound.js';
import { startProcess } from './process.js';
import { addEndpoint, publish, startReceiver } from './receiver.js';
import { startTestService } from './service.js';

test('SIGTERM: neither clients, receivers nor scripts keep it for longer than 10 s, and no claim is left', async () => {
  const writer = await startTestService();
  await writer.services.workers.webhooks.stop();
  await addScript(writer, 'for (;;);');
  const silent = await startReceiver(() => {});
  await addEndpoint(writer, { url: silent.url });
  const steady = await startReceiver((response) => setTimeout(() => response.end(), 200));
  await addEndpoint(writer, { url: steady.url });
  for (let count = 0; count < 100; count += 1) publish(writer);
  await writer.idle();

  const service = await startProcess({ DATABASE_URL: writer.config.DATABASE_URL });
  const url = await service.ready();
  await silent.until(4);
  const idle = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  await once(idle, 'connect');
  const headers = { 'content-type': 'application/json' };
  const running = fetch(`${url}/tools/webhook/acme`, { method: 'POST', headers, body: '{}' });
  const slow = request(`${url}/auth/refresh`, { method: 'POST', headers });
  const cut = once(slow, 'error');
  slow.write('{');
  await sleep(500);

  const from = performance.now();
  const before = steady.received.length;
  service.child.kill('SIGTERM');
  const answer = await running;
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
  await cut;
  expect(await service.ended, service.output()).toBe(0);
  expect(performance.now() - from).toBeLessThan(10_000);
  expect(silent.received).toHaveLength(4);
  // Requests sent while the signal is on its way, and those already running then.
  expect(steady.received.length).toBeLessThanOrEqual(before + 8);
  const claims = await writer.services.db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('lease', 'is not', null)
    .execute();
  expect(claims).toEqual([]);
});

test('SIGTERM while the database fails: a request in flight is answered, and it exits with 0', async () => {
  const { config, services } = await startTestService();
  const service = await startProcess({ DATABASE_URL: config.DATABASE_URL });
  const url = await service.ready();
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
  // Counted, and written at the end.
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'wrong' });
  expect((await fetch(`${url}/auth/login`, { ...post, body })).status).toBe(401);
  await services.db.schema.dropTable('audit_log').execute();
  const slow = request(`${url}/auth/logout`, post);
  const answered = once(slow, 'response');
  slow.write('{');
  await sleep(500);
  service.child.kill('SIGTERM');
  await sleep(500);
  slow.end('}');
  expect((await answered)[0].statusCode).toBe(200);
  expect(await service.ended, service.output()).toBe(0);
});
