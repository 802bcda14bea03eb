import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A load balancer on loopback that passes each request to the next instance. */
export interface RoundRobin {
  url: string;
  /** The number of responses of each instance, by its URL. */
  answered: Map<string, number>;
  /** The statuses from 500 up that an instance itself returned. */
  failures: number[];
  /** Requests whose connection broke after an instance had accepted it; they were answered 502. */
  broken: number;
  close(): Promise<void>;
}

/**
 * Starts one in front of these URLs. Like other load balancers, it passes a request to another instance if the connection is
 * refused, and no further ones to an instance that broke a connection.
 */
export async function startRoundRobin(urls: string[]): Promise<RoundRobin> {
  const alive = [...urls];
  let turns = 0;
  // Longer than the 65 s for which the instances' responses, passed on, promise to keep a connection.
  const server = createServer({ keepAliveTimeout: 70_000 }, async (incoming, outgoing) => {
    forward(incoming, await buffer(incoming), outgoing);
  });

  function forward(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void {
    const url = alive[turns++ % alive.length];
    if (url === undefined) return void outgoing.writeHead(503).end();
    const { method, headers } = incoming;
    // One connection per request: a kept one could break before the request is sent.
    const onward = request(new URL(incoming.url ?? '/', url), { method, headers, agent: false });
    let isTaken = false;
    onward.on('socket', (socket) => {
      socket.on('connect', () => {
        isTaken = true;
      });
    });
    onward.on('error', () => {
      if (alive.includes(url)) alive.splice(alive.indexOf(url), 1);
      if (!isTaken) return forward(incoming, body, outgoing);
      balancer.broken += 1;
      outgoing.writeHead(502).end('{}');
    });
    onward.on('response', async (answer) => {
      const text = await buffer(answer).catch((error) => void onward.destroy(error));
      if (!text) return;
      const { statusCode = 0 } = answer;
      if (statusCode >= 500) balancer.failures.push(statusCode);
      balancer.answered.set(url, (balancer.answered.get(url) ?? 0) + 1);
      outgoing.writeHead(statusCode, answer.headers).end(text);
    });
    onward.end(body);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const balancer: RoundRobin = {
    url: `http://127.0.0.1:${port}`,
    answered: new Map(),
    failures: [],
    broken: 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return balancer;
}
