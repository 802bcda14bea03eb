import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSender } from '../../src/features/webhooks/sender.js';
import { addEndpoint, publish, startReceiver, untilState } from '../receiver.js';
import { startTestService } from '../service.js';

test('F-33 CVE-2026-4366 -1180, better-auth #10830 class refused: no webhook reaches a private address, by any spelling or redirect', async () => {
  const sender = createSender(false);
  for (const host of [
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
  ]) {
    const { status, error } = await sender.send(`http://${host}/`, {}, '{}');
    expect([host, status, error]).toEqual([
      host,
      null,
      expect.stringContaining('WEBHOOK_ALLOW_PRIVATE'),
    ]);
  }
  sender.close();

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

/** A public IP address that is not assigned yet (IANA, IPv6 Global Unicast Address Assignments). */
const PUBLIC = '2d00::1';
const PRIVATE = '127.0.0.1';
const MAPPED = '::ffff:127.0.0.1';

/** Until the end of the test, each look-up of any name returns the next of these answers. */
function resolveTo(answers: string[][]): void {
  let asked = 0;
  const next = (family: number) =>
    (answers[asked % answers.length] ?? []).filter((address) => isIP(address) === family);
  vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(async () => next(4));
  vi.spyOn(Resolver.prototype, 'resolve6').mockImplementation(async () => {
    const found = next(6);
    asked += 1;
    return found;
  });
}

test('F-33 DNS rebinding class refused: the connection goes to the address that was checked', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  for (const answers of [
    [[PUBLIC], [PRIVATE]],
    [[PRIVATE], [PUBLIC]],
    [[PUBLIC, PRIVATE]],
    [[PRIVATE, PUBLIC]],
    [[PUBLIC, MAPPED]],
    [[MAPPED], [PUBLIC]],
  ]) {
    resolveTo(answers);
    const sender = createSender(false);
    for (let attempt = 0; attempt < 4; attempt++) {
      const sent = sender.send(`http://rebound.test:${port}/`, {}, '{}');
      // Nobody answers at the public address: some networks say so at once, others never.
      await Promise.race([sent, wait(200)]);
    }
    sender.close();
  }
  expect(receiver.received).toEqual([]);
});
