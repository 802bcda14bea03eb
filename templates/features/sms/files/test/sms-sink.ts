import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { TestEnvironment } from './service.js';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, unknown>;
  body: string;
}

export interface SmsSink {
  url: string;
  /** Variables of a service that sends its texts here. */
  environment: TestEnvironment;
  /** Every request so far, oldest first. */
  requests: ReceivedRequest[];
  /** Every text so far. */
  texts(): { to: string; text: string }[];
  /** What it answers; 200 by default. */
  status: number;
}

/** A provider of texts on loopback that keeps what it receives; it ends with the test. */
export async function startSmsSink(): Promise<SmsSink> {
  const requests: ReceivedRequest[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await buffer(request)).toString();
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers, body });
    response.writeHead(sink.status, { location: '/elsewhere' }).end('{}');
  }

  const server = createServer((request, response) => {
    // At the end of a test whoever asked may be gone before all has been read.
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sink: SmsSink = {
    url,
    environment: {
      SMS_TRANSPORT: 'http',
      SMS_HTTP_URL: `${url}/send?sender=auth`,
      SMS_HTTP_TOKEN: 'token-of-the-sink',
    },
    requests,
    texts: () => requests.map(({ body }) => JSON.parse(body)),
    status: 200,
  };
  return sink;
}
