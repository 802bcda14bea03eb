import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { messagesOf } from './pglite-messages.js';

/** A PGlite that is reached over a socket. */
export interface WireServer {
  port: number;
  /** Ends every connection; new ones are taken. */
  disconnectAll(): Promise<void>;
  close(): Promise<void>;
}

/** A turn ends with `ReadyForQuery` (Z, length 5) outside of a transaction (I). */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);
const OUTSIDE_OF_TRANSACTION = 'I'.charCodeAt(0);

/**
 * Puts a PGlite behind PostgreSQL's wire protocol, on a free port of loopback. It has one session, so
 * connections take turns: each has it from the first message of a query to the end of its transaction.
 */
export async function serveWire(db: PGlite): Promise<WireServer> {
  const turns = createTurns();
  const sockets = new Map<Socket, Promise<void>>();
  // Small answers follow each other: gathered into packets (Nagle), each query would take 40 ms.
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    const serving = serveConnection(db, turns, socket).catch(() => void socket.destroy());
    sockets.set(socket, serving);
    void serving.finally(() => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');

  async function disconnectAll(): Promise<void> {
    const all = [...sockets];
    for (const [socket] of all) socket.destroy();
    await Promise.all(all.map(([, serving]) => serving));
  }

  return {
    port: address.port,
    disconnectAll,
    async close() {
      server.close();
      await disconnectAll();
    },
  };
}

async function serveConnection(db: PGlite, turns: Turns, socket: Socket): Promise<void> {
  let endTurn: (() => void) | undefined;
  try {
    for await (const message of messagesOf(socket)) {
      endTurn ??= await turns.take();
      const answer = Buffer.from(await db.execProtocolRaw(message));
      socket.write(answer);
      if (isReadyOutsideOfTransaction(answer)) {
        endTurn();
        endTurn = undefined;
      }
    }
  } finally {
    // What a connection leaves unfinished is undone, as at a server.
    if (endTurn) await db.exec('rollback');
    endTurn?.();
  }
}

function isReadyOutsideOfTransaction(answer: Buffer): boolean {
  return answer.subarray(-6, -1).equals(READY) && answer.at(-1) === OUTSIDE_OF_TRANSACTION;
}

interface Turns {
  /** Resolves when all earlier turns have ended; the result ends this one. */
  take(): Promise<() => void>;
}

function createTurns(): Turns {
  let last = Promise.resolve();
  return {
    async take() {
      const before = last;
      let end = () => {};
      last = new Promise((resolve) => {
        end = resolve;
      });
      await before;
      return end;
    },
  };
}
