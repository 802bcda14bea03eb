import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { atMost, percent, type Row } from '../report.js';
import { type Server, startServer } from '../server.js';
import { adminHeaders, emitService, send, startService } from '../service.js';

const endpoints = 1_000;
const eventsPerSecond = 40;
const events = 600;
const idleMs = 10_000;
const idleGoal = 0.02;
/** To the database and back. */
const wayMs = 5;
const patienceMs = 30_000;
const databaseServer =
  process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/**
 * Many endpoints and a slow connection to PostgreSQL: what a service with nothing to send costs, and whether
 * events arrive once. Empty without a server at TEST_DATABASE_URL or on the standard port.
 */
export async function measureEndpoints(): Promise<Row[]> {
  const database = await emptyDatabase().catch(() => undefined);
  if (!database) return [];
  await emitService('express', 'postgres');
  using way = await slowWay(database);
  await using receiver = await startServer('peers/receiver.mjs', '/');
  await using service = await startService('express', { databaseUrl: way.url });
  const without = await idleShare(service);
  const headers = await adminHeaders(service.port);
  const ids = await addEndpoints(service.port, receiver.port, headers);
  const idle = await idleShare(service);
  for (let count = 0; count < events; count += 1) {
    const path = `/admin/api/webhooks/${ids[(count * 7) % endpoints]}/test`;
    void send(service.port, path, {}, { headers });
    await wait(1000 / eventsPerSecond);
  }
  const end = performance.now() + patienceMs;
  while ((await countsOf(receiver))[1] < events && performance.now() < end) await wait(100);
  // A duplicate arrives when its lease expires, at the latest.
  await wait(patienceMs);
  const [received, messages] = await countsOf(receiver);
  return [
    {
      measure: `${endpoints} endpoints, ${wayMs} ms to the database, idle`,
      ours: `${percent(idle)} of a CPU, + ${percent(idle - without)}`,
      against: `${percent(without)} without endpoints`,
      ...atMost(idleGoal, idle, percent),
    },
    {
      measure: `the same, ${eventsPerSecond} events/s`,
      ours: `${received} requests`,
      against: `${events} events`,
      result: `${messages} arrived, ${received - messages} more than once`,
      goal: 'each once',
      isMet: received === events && messages === events,
    },
  ];
}

async function emptyDatabase(): Promise<URL> {
  const client = new pg.Client({ connectionString: databaseServer });
  await client.connect();
  await client.query('drop database if exists bench_endpoints with (force)');
  await client.query('create database bench_endpoints');
  await client.end();
  const url = new URL(databaseServer);
  url.pathname = '/bench_endpoints';
  return url;
}

/** A connection to the database with a delay of half of `wayMs` in each direction. */
async function slowWay(database: URL): Promise<Disposable & { url: string }> {
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.setNoDelay();
    from.on('data', (bytes) => setTimeout(() => to.write(bytes), wayMs / 2));
    from.on('error', () => {});
    from.on('close', () => to.destroy());
  };
  const server = createServer((near) => {
    const far = connect(Number(database.port || 5432), database.hostname);
    pass(near, far);
    pass(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(database);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    [Symbol.dispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function idleShare(service: Server): Promise<number> {
  // Waits for work left over from starting or adding.
  await wait(2_000);
  const before = await service.usage();
  await wait(idleMs);
  return ((await service.usage()).cpu - before.cpu) / 1000 / idleMs;
}

async function addEndpoints(port: number, receiver: number, headers: Record<string, string>) {
  const ids: string[] = [];
  const add = async () => {
    while (ids.length < endpoints) {
      const url = `http://127.0.0.1:${receiver}/${ids.length}`;
      const answer = await send(port, '/admin/api/webhooks', { url, events: ['x.y'] }, { headers });
      ids.push(((await answer.json()) as { webhook: { id: string } }).webhook.id);
    }
  };
  await Promise.all(Array.from({ length: 8 }, add));
  return ids;
}

/** How many requests have arrived, and how many different messages. */
async function countsOf({ port }: Server): Promise<[number, number]> {
  return (await fetch(`http://127.0.0.1:${port}/`)).json() as Promise<[number, number]>;
}
