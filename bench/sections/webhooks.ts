import { join } from 'node:path';
import { request } from 'undici';
import { loadOwn, type OwnServices, openOwnService } from '../own-service.js';
import { processFolder } from '../places.js';
import type { Row } from '../report.js';
import { type Server, startServer } from '../server.js';
import { median } from '../statistics.js';

const GOAL = 5_000;
const ENDPOINTS = 16;
const EVENTS = 1_000;
const UNDER_WAY = 64;
const POLL_MS = 5;

/** Deliveries in a second, with durable rows on SQLite, against the same requests without anything around them. */
export async function measureWebhooks(rounds: number): Promise<Row[]> {
  const receiver = await startServer(join(processFolder, 'peers/receiver.mjs'), '/');
  const url = `http://127.0.0.1:${receiver.port}`;
  const service = await openOwnService('webhooks');
  try {
    await addEndpoints(service.services, url);
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await bareRate(url));
      ours.push(await deliveryRate(service.services, receiver));
    }
    const rate = median(ours);
    return [
      {
        measure: `webhooks, ${ENDPOINTS} endpoints`,
        ours: `${rate.toFixed(0)} deliveries/s`,
        against: `${median(bare).toFixed(0)} requests/s, no rows`,
        result: `${((rate / median(bare)) * 100).toFixed(0)} %`,
        goal: `≥ ${GOAL} deliveries/s`,
        isMet: rate >= GOAL,
      },
    ];
  } finally {
    await service.close();
    await receiver.stop();
  }
}

interface Saving {
  createWebhook(services: OwnServices, fields: object): Promise<unknown>;
}

interface Inside {
  events: { publish(event: string, data: object, cause: object): void };
}

interface Transactions {
  inTransaction(services: OwnServices, work: (inside: Inside) => Promise<void>): Promise<void>;
}

async function addEndpoints(services: OwnServices, url: string): Promise<void> {
  const { createWebhook } = await loadOwn<Saving>('features/webhook-configs/save-webhook.js');
  for (let each = 0; each < ENDPOINTS; each += 1) {
    await createWebhook(services, { url: `${url}/${each}`, events: ['*'], secret: 'bench-secret' });
  }
}

async function deliveryRate(services: OwnServices, receiver: Server): Promise<number> {
  const { inTransaction } = await loadOwn<Transactions>('services.js');
  const before = await countAt(receiver);
  const start = performance.now();
  await inTransaction(services, async ({ events }) => {
    for (let each = 0; each < EVENTS; each += 1) {
      events.publish('identity.auth.logout', { sessionId: String(each) }, {});
    }
  });
  const wanted = before + EVENTS * ENDPOINTS;
  while ((await countAt(receiver)) < wanted) {
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
  return (EVENTS * ENDPOINTS) / ((performance.now() - start) / 1000);
}

/** The same number of requests of the same size, sent by the same client. */
async function bareRate(url: string): Promise<number> {
  const body = JSON.stringify({ event: 'identity.auth.logout', data: 'x'.repeat(150) });
  let open = EVENTS * ENDPOINTS;
  const start = performance.now();
  const send = async () => {
    while (open > 0) {
      open -= 1;
      const answer = await request(`${url}/bare`, { method: 'POST', body });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, send));
  return (EVENTS * ENDPOINTS) / ((performance.now() - start) / 1000);
}

async function countAt({ port }: Server): Promise<number> {
  const answer = await request(`http://127.0.0.1:${port}/`);
  const [received] = (await answer.body.json()) as [number, number];
  return received;
}
