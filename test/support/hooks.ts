import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import * as z from 'zod';

const told = z.object({ data: z.object({ sessionId: z.string() }) });

/** A receiver of webhooks about sessions. */
export interface Hooks {
  url: string;
  /** The sessions of all messages that arrived, in order: twice if a message came twice. */
  sessions: string[];
  close(): Promise<void>;
}

export async function receiveHooks(): Promise<Hooks> {
  const sessions: string[] = [];
  const server = createServer(async (request, response) => {
    sessions.push(told.parse(await json(request)).data.sessionId);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    sessions,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
