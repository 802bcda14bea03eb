import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import {
  addEndpoint,
  deliveriesOf,
  publish,
  startReceiver,
  untilHolds,
  untilState,
} from '../../../test/receiver.js';
import { startTestService } from '../../../test/service.js';
import { createSender } from './sender.js';

test('attack: an endless answer is cut off, and only its first kilobyte is kept', async () => {
  const service = await startTestService();
  const receiver = await startReceiver((response) => {
    const flood = setInterval(() => response.write('x'.repeat(64 * 1024)), 1);
    response.on('close', () => clearInterval(flood));
  });
  const config = await addEndpoint(service, { url: receiver.url });
  publish(service);
  const { id } = await untilState(service, config, 'delivered');
  const found = await service.services.webhooks.log.find(id);
  expect(found?.attempts[0]?.response).toBe('x'.repeat(1024));
});

test('attack: a receiver that never answers is given up after ten seconds and holds up nobody', async () => {
  const service = await startTestService();
  const hanging = await startReceiver(() => {});
  const quick = await startReceiver();
  const config = await addEndpoint(service, { url: hanging.url, maxRetries: 0 });
  await addEndpoint(service, { url: quick.url });
  for (let count = 0; count < 20; count += 1) publish(service);
  await quick.until(20);
  expect(hanging.received.length).toBeLessThanOrEqual(4);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  await untilHolds(
    async () => (await deliveriesOf(service, config)).some(({ state }) => state === 'exhausted'),
    'the time-out',
  );
});

test('attack: a hundred receivers that never answer hold up nobody', async () => {
  const service = await startTestService();
  const silent = await startReceiver(() => {});
  const arrivals: number[] = [];
  const quick = await startReceiver((response) => {
    arrivals.push(performance.now());
    response.end();
  });
  await Promise.all(
    Array.from({ length: 100 }, () => addEndpoint(service, { url: silent.url, maxRetries: 20 })),
  );
  await addEndpoint(service, { url: quick.url });
  const delays: number[] = [];
  for (let count = 1; count <= 10; count += 1) {
    const start = performance.now();
    publish(service);
    await quick.until(count);
    delays.push((arrivals.at(-1) ?? 0) - start);
  }
  expect(Math.max(...delays)).toBeLessThan(2_000);
}, 60_000);

test('a 100 (Continue) that nobody asked for is no failure', async () => {
  const server = createServer((socket) => {
    socket.once('data', () =>
      socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'),
    );
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sender = createSender(true);
  const { port } = server.address() as AddressInfo;
  const { status, error } = await sender.send(`http://127.0.0.1:${port}/`, {}, '{}');
  expect([status, error]).toEqual([204, null]);
  sender.close();
  server.close();
});

test('attack: headers that come byte by byte are cut off', async () => {
  const sender = createSender(true);
  const receiver = await startReceiver((response) => {
    const drip = setInterval(() => response.socket?.write('x'), 100);
    response.on('close', () => clearInterval(drip));
  });
  const result = await sender.send(receiver.url, {}, '{}');
  expect(result).toMatchObject({ status: null, error: expect.any(String) });
  sender.close();
});

test.each([
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '0.0.0.0',
  'localhost',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[fd00::1]',
  '[fe80::1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '224.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
])('attack: %s is not reached', async (host) => {
  const sender = createSender(false);
  const { status, error } = await sender.send(`http://${host}/`, {}, '{}');
  expect([status, error]).toEqual([null, expect.stringContaining('WEBHOOK_ALLOW_PRIVATE')]);
  sender.close();
});

test('attack: a redirect is a failure and is not followed', async () => {
  const service = await startTestService();
  const elsewhere = await startReceiver();
  const receiver = await startReceiver((response) =>
    response.writeHead(302, { location: elsewhere.url }).end(),
  );
  const config = await addEndpoint(service, { url: receiver.url, maxRetries: 0 });
  publish(service);
  await untilState(service, config, 'exhausted');
  expect(elsewhere.received).toEqual([]);
});
