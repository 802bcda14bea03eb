import { setTimeout as wait } from 'node:timers/promises';
import { dealt, type Load } from '../load.js';
import { atLeast, median, percent, type Row } from '../report.js';
import { startServer } from '../server.js';
import { addVisitors, adminHeaders, send, startService } from '../service.js';

const goal = 5_000;
const endpoints = 16;
const events = 1_000;
const pollMs = 5;

/**
 * Deliveries per second, with durable rows on SQLite: sessions are refreshed, and each refresh is sent to 16
 * endpoints. Compared with the same number of requests that the load generator sends to the receiver, with nothing around
 * them.
 */
export async function measureWebhooks(load: Load, rounds: number): Promise<Row[]> {
  await using receiver = await startServer('peers/receiver.mjs', '/');
  await using service = await startService('express');
  const headers = await adminHeaders(service.port);
  const visitors = await addVisitors(service.port, 16);
  const requests = dealt(visitors.map(({ refreshByBearer }) => refreshByBearer));
  for (let each = 0; each < endpoints; each += 1) {
    const url = `http://127.0.0.1:${receiver.port}/${each}`;
    const webhook = { url, events: ['identity.session.rotated'], secret: 'bench-secret-bench' };
    await send(service.port, '/admin/api/webhooks', webhook, { headers });
  }
  const received = async () => {
    const answer = await fetch(`http://127.0.0.1:${receiver.port}/`);
    return Number(await answer.text());
  };
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await received();
    const start = performance.now();
    const { port } = service;
    const sent = await load.run({ port, requests, count: events, seconds: 30 });
    const wanted = sent.answered * endpoints;
    while ((await received()) < before + wanted) await wait(pollMs);
    ours.push(wanted / ((performance.now() - start) / 1000));
    const body = JSON.stringify({ event: 'refresh', data: 'x'.repeat(150) });
    const alone = dealt([{ method: 'POST', path: '/bare', body }]);
    const job = { port: receiver.port, requests: alone, count: wanted, seconds: 30 };
    const { answered, seconds } = await load.run(job);
    bare.push(answered / seconds);
  }
  const rate = median(ours);
  return [
    {
      measure: `webhooks, ${endpoints} endpoints`,
      ours: `${percent(rate / median(bare))} of the other`,
      against: `${median(bare).toFixed(0)} requests/s, no rows`,
      ...atLeast(goal, rate, (deliveries) => `${deliveries.toFixed(0)} deliveries/s`),
    },
  ];
}
