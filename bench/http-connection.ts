import { connect, type Socket } from 'node:net';

/** One answer, as far as a load generator needs it: head and body as Latin-1 text. */
export interface RawAnswer {
  status: number;
  text: string;
}

export interface Connection {
  /** Sends one request, already written out, and resolves with its answer. One at a time. */
  send(request: string): Promise<RawAnswer>;
  close(): void;
}

const LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * A keep-alive HTTP/1.1 connection to this machine that does no more than it must, so that the load
 * generator stays faster than what it measures. Every answer must carry Content-Length.
 */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let received = '';
  let settle: { resolve(answer: RawAnswer): void; reject(error: Error): void } | undefined;

  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
    if (!isWhole(received)) return;
    const text = received;
    received = '';
    settle?.resolve({ status: Number(text.slice(9, 12)), text });
  });
  failWith(socket, (error) => settle?.reject(error));

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = Number(LENGTH.exec(text.slice(0, end))?.[1] ?? 0);
  return text.length >= end + 4 + length;
}

function failWith(socket: Socket, fail: (error: Error) => void): void {
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The server closed the connection.')));
}
