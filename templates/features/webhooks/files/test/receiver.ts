import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import { createWebhook, type WebhookFields } from '../src/features/webhook-configs/feature.js';
import type { WebhookConfig } from '../src/features/webhook-configs/store.js';
import type { LoggedDelivery } from '../src/features/webhooks/delivery-log.js';
import type { DeliveryState } from '../src/features/webhooks/store.js';
import type { TestService } from './service.js';

/** A request that arrived. */
export interface Received {
  headers: IncomingHttpHeaders;
  /** The bytes, as text. */
  text: string;
  body: {
    event: string;
    version: string;
    data: { sessionId: string };
    metadata: Record<string, string>;
  };
}

type Respond = (response: ServerResponse, count: number) => void;

/** A test waits that long only for something that never happens. */
const PATIENCE_MS = 100_000;

/** A receiver on loopback; `respond` gets the number of requests so far. */
export async function startReceiver(respond: Respond = (response) => response.end()) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { headers } = request;
      received.push({ headers, text, body: JSON.parse(text) });
      respond(response, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    /** Waits until so many requests have arrived. */
    async until(count: number) {
      await untilHolds(() => received.length >= count, `${count} requests at the receiver`);
      return received;
    },
  };
}

/** Waits until something holds; fails with what was waited for. */
export async function untilHolds(
  holds: () => boolean | Promise<boolean>,
  what: string,
  patience = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + patience;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
    await sleep(10);
  }
}

/** Registers an endpoint for all events, or as the fields say. */
export async function addEndpoint(
  { services }: TestService,
  fields: WebhookFields,
): Promise<WebhookConfig> {
  const config = await createWebhook(services, { events: ['*'], ...fields });
  if (!config) throw new Error('The endpoint was not added.');
  return config;
}

/** Publishes an event that changes nothing. */
export function publish(
  { services }: TestService,
  metadata: { userId?: string; tenantId?: string } = {},
): void {
  services.events.publish('identity.auth.logout', { sessionId: 'test' }, metadata);
}

/** The deliveries of an endpoint, the newest first. */
export async function deliveriesOf({ services }: TestService, { id }: { id: string }) {
  const { items: deliveries } = await services.webhooks.log.list(id, { limit: 1000, offset: 0 });
  return deliveries;
}

/** Waits until the newest delivery of an endpoint is in a state. */
export async function untilState(
  service: TestService,
  endpoint: { id: string },
  state: DeliveryState,
): Promise<LoggedDelivery> {
  let newest: LoggedDelivery | undefined;
  await untilHolds(async () => {
    [newest] = await deliveriesOf(service, endpoint);
    return newest?.state === state;
  }, `a delivery that is ${state}`);
  if (!newest) throw new Error('There is no delivery.');
  return newest;
}

/** The signature of clients that know no Standard Webhooks. */
export function hexSignature(secret: string, text: string): string {
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
}

/** Whether a library of Standard Webhooks accepts a request; a secret without prefix is its key as it is. */
export function verifies({ text, headers }: Received, secret: string, body = text): boolean {
  const key = secret.startsWith('whsec_') ? secret : Buffer.from(secret).toString('base64');
  try {
    return Boolean(new Webhook(key).verify(body, headers as Record<string, string>));
  } catch {
    return false;
  }
}
