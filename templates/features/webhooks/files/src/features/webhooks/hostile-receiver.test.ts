import { expect, test } from 'vitest';
import {
  addEndpoint,
  deliveriesOf,
  publish,
  startReceiver,
  untilHolds,
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
  await untilHolds(
    async () => (await deliveriesOf(service, config))[0]?.state === 'delivered',
    'the delivery',
  );
  const [delivery] = await deliveriesOf(service, config);
  const found = await service.services.webhooks.log.find(delivery?.id ?? '');
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

test('attack: headers that come byte by byte are cut off like no answer', async () => {
  const sender = createSender(true);
  const receiver = await startReceiver((response) => {
    const drip = setInterval(() => response.socket?.write('x'), 100);
    response.on('close', () => clearInterval(drip));
  });
  const result = await sender.send(receiver.url, {}, '{}');
  expect(result.status).toBeNull();
  expect(result.error).not.toBeNull();
  await sender.close();
});

const hostile = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://0.0.0.0/',
  'http://localhost/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://168.63.129.16/',
];

test.each(hostile)('attack: %s is not reached', async (url) => {
  const sender = createSender(false);
  const { status, error } = await sender.send(url, {}, '{}');
  expect([status, error]).toEqual([null, 'The address is not public.']);
  await sender.close();
});

test('attack: a redirect to the metadata address is not followed', async () => {
  const sender = createSender(true);
  const receiver = await startReceiver((response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  );
  expect(await sender.send(receiver.url, {}, '{}')).toMatchObject({ status: 302 });
  await sender.close();
});
