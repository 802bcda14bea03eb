import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One answer as it came over the socket. */
export interface WireAnswer {
  statusLine: string;
  status: number;
  /** The header lines in their order, names in lower case. */
  lines: string[];
  /** Names in lower case. */
  headers: Map<string, string>;
  body: string;
}

const PATIENCE_MS = 3_000;

/** A connection to write bytes to that no HTTP client would send. */
export async function openConnection(service: { url: string }): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes as they are; the answers that came back until the service closed the connection. */
export async function sendBytes(
  service: { url: string },
  ...parts: (string | Buffer)[]
): Promise<WireAnswer[]> {
  const socket = await openConnection(service);
  const received = receiveAll(socket);
  for (const part of parts) socket.write(part);
  return answersIn(await received);
}

/** Everything that the service sends until it closes the connection. */
export function receiveAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('The connection stays open.')));
    socket.on('data', (chunk) => chunks.push(chunk));
    // A service that refuses a request in the middle may reset the connection: what it said counts.
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)));
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

/** The text of a request; give `Connection: close` with the last one of a connection. */
export function requestText(line: string, headers: string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: auth.test', ...headers, '', body].join('\r\n');
}

/** Answers one after the other, each as long as its Content-Length says. */
export function answersIn(bytes: Buffer): WireAnswer[] {
  const answers: WireAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const pairs = lines.map(headerOf);
    const headers = new Map(pairs);
    const bodyEnd = end + 4 + Number(headers.get('content-length') ?? 0);
    const body = rest.subarray(end + 4, bodyEnd).toString();
    answers.push({
      statusLine,
      status: Number(statusLine.split(' ')[1]),
      lines: pairs.map((pair) => pair.join(': ')),
      headers,
      body,
    });
    rest = rest.subarray(bodyEnd);
  }
  return answers;
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
