import { connect, type Socket } from 'node:net';
import type { LoadJob, LoadRequest, LoadResult } from './load.js';

/** The load generator, in a separate process: its cost is never counted as the server's. */
process.on('message', ({ id, job }: { id: number; job: LoadJob }) => {
  run(job).then(
    (result) => process.send?.({ id, result }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());

/** The refresh token of a response, from its cookie or its body. */
const refreshToken = /refreshToken(?:=|":")([\w.-]+)/;

async function run(job: LoadJob): Promise<LoadResult> {
  const times: number[] = [];
  const start = performance.now();
  const end = start + job.seconds * 1000;
  let left = job.count;
  const drive = async (requests: LoadRequest[]) => {
    const { send, close } = await openConnection(job.port);
    const texts = requests.map(writeOut);
    for (let turn = 0; left-- > 0 && performance.now() < end; turn += 1) {
      const index = turn % requests.length;
      const request = requests[index];
      const sent = performance.now();
      const answer = await send(texts[index] ?? '');
      times.push(performance.now() - sent);
      if (!/^HTTP\/1.1 2/.test(answer)) throw new Error(`The server answered ${answer}`);
      if (!request?.token) continue;
      request.token = refreshToken.exec(answer)?.[1] ?? '';
      texts[index] = writeOut(request);
    }
    close();
  };
  const rest = job.staysAwake ? stayAwake() : undefined;
  await Promise.all(job.requests.map(drive));
  rest?.();
  times.sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    answered: times.length,
    seconds: (performance.now() - start) / 1000,
    p50: percentile(0.5),
    p99: percentile(0.99),
    tokens: job.requests.map((requests) => requests.map(({ token }) => token)),
  };
}

/**
 * Keeps this process from sleeping: each answer that wakes it costs the server several µs in a virtual machine, and a fast
 * server, which finds it awake, would be spared them. The returned function lets it sleep again.
 */
function stayAwake(): () => void {
  let isResting = false;
  const turn = () => {
    if (!isResting) setImmediate(turn);
  };
  turn();
  return () => {
    isResting = true;
  };
}

/** A request as the bytes of HTTP/1.1. */
function writeOut({ method, path, headers = {}, body = '', token = '' }: LoadRequest): string {
  const filled = (text: string) => text.replace('{token}', token);
  const all = { Host: '127.0.0.1', ...headers, 'Content-Length': filled(body).length };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${filled(String(value))}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${filled(body)}`;
}

/**
 * A keep-alive connection to this machine that does only what it must, so that the load generator stays faster than
 * what it measures. One request at a time; every response must have Content-Length.
 */
async function openConnection(port: number) {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let received = '';
  let waiting: { resolve(answer: string): void; reject(error: Error): void } | undefined;
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
    const head = received.indexOf('\r\n\r\n');
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received)?.[1] ?? 0);
    if (head < 0 || received.length < head + 4 + length) return;
    const answer = received;
    received = '';
    waiting?.resolve(answer);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('The server closed the connection.')));
  return {
    send: (request: string) =>
      new Promise<string>((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}
