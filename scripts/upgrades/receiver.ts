import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import * as z from 'zod/mini';

type Message = Record<string, unknown>;

const told = z.object({ data: z.object({ sessionId: z.string() }) });

/** Where a service sends texts or webhooks to. */
export interface Receiver {
  url: string;
  /** Everything that was accepted, in order. */
  messages: Message[];
  /** The session of each event: twice if it came twice. */
  readonly sessions: string[];
  /** Whether it accepts what arrives; if not, it answers 503. */
  isOpen: boolean;
  /** Removes and returns the oldest message that matches. */
  take(isWanted: (message: Message) => boolean): Message | undefined;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const message = (await json(request)) as Message;
    if (receiver.isOpen) receiver.messages.push(message);
    response.statusCode = receiver.isOpen ? 200 : 503;
    // A few retries must outlast an upgrade on a busy machine.
    if (!receiver.isOpen) response.setHeader('retry-after', '30');
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    messages: [],
    get sessions() {
      return receiver.messages.map((message) => told.parse(message).data.sessionId);
    },
    isOpen: true,
    take(isWanted) {
      const at = receiver.messages.findIndex(isWanted);
      return at < 0 ? undefined : receiver.messages.splice(at, 1)[0];
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
