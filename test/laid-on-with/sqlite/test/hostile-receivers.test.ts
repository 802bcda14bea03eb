import { createSocket } from 'node:dgram';
import type { ResolverOptions } from 'node:dns';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createSender } from '../src/features/webhooks/sender.js';
import {
  addEndpoint,
  deliveriesOf,
  publish,
  startReceiver,
  untilHolds,
  untilState,
} from './receiver.js';
import { startTestService } from './service.js';

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

test('attack: an answer that no database could store is kept without its NUL', async () => {
  const service = await startTestService();
  const receiver = await startReceiver((response) => response.end('a\0b'));
  const config = await addEndpoint(service, { url: receiver.url });
  publish(service);
  const { id } = await untilState(service, config, 'delivered');
  expect((await service.services.webhooks.log.find(id))?.attempts[0]?.response).toBe('ab');
});

test.each([
  [410, 'The receiver answered 410.'],
  [503, 'The receiver answered 503.'],
  [200, 'The response did not end.'],
])('the status of an answer that breaks off counts (%d)', async (status, error) => {
  const receiver = await startReceiver((response) => {
    response.writeHead(status, { 'Retry-After': '60', 'Content-Length': '100' });
    response.write('abc', () => response.destroy());
  });
  const sender = createSender(true);
  const outcome = await sender.send(receiver.url, {}, '{}');
  expect(outcome).toEqual({ status, response: 'abc', error, retryAfterMs: 60_000 });
  sender.close();
});

test('attack: a receiver that never answers is given up after ten seconds and delays no other', async () => {
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

test('attack: a hundred receivers that never answer delay no other', async () => {
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
  const sorted = delays.sort((one, other) => one - other);
  expect(sorted[5]).toBeLessThan(2_000);
  // A busy machine may delay one; waiting for a silent receiver takes ten seconds.
  expect(sorted[9]).toBeLessThan(8_000);
});

test('attack: a name server that does not answer for some names delays no other name', async () => {
  const server = createSocket('udp4', (query, { port, address }) => {
    if (query.includes('dead')) return;
    const question = query.subarray(0, query.indexOf(0, 12) + 5);
    // A response with one record: the name of the question has the address 127.0.0.1.
    question.set([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0], 2);
    const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1];
    server.send(Buffer.concat([question, Buffer.from(record)]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const { Resolver } = dns;
  dns.Resolver = class extends Resolver {
    constructor(options?: ResolverOptions) {
      super(options);
      this.setServers([`127.0.0.1:${server.address().port}`]);
    }
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    dns.Resolver = Resolver;
    syncBuiltinESMExports();
    server.close();
  });
  const sender = createSender(false);
  const names = [...Array(8).fill('dead.test'), 'live.test'];
  const outcomes = names.map((name) => sender.send(`http://${name}/`, {}, '{}'));
  expect((await Promise.race(outcomes)).error).toMatch(/^The address is not public/);
  sender.close();
});

test('an endpoint without a usable URL, as a command of the team may store, fails like one that nobody reaches', async () => {
  const service = await startTestService();
  const config = await addEndpoint(service, { url: 'nonsense', maxRetries: 0 });
  publish(service);
  const { id } = await untilState(service, config, 'exhausted');
  const found = await service.services.webhooks.log.find(id);
  expect(found?.attempts[0]?.error).toBe('The request failed: ERR_INVALID_URL.');
});

test('attack: why a request failed does not name the addresses behind a host', async () => {
  const sender = createSender(true);
  const { error } = await sender.send('http://localhost:1/', {}, '{}');
  expect(error).toMatch(/^The request failed: \w+\.$/);
  sender.close();
});

test('an unrequested 100 (Continue) is no failure', async () => {
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

test('attack: 101 (Switching Protocols) is a failure, not an attempt without end', async () => {
  const service = await startTestService();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const config = await addEndpoint(service, { url, maxRetries: 0 });
  publish(service);
  await untilState(service, config, 'exhausted');
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
