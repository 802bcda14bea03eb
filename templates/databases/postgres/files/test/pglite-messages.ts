import type { Socket } from 'node:net';

/** The code that asks for TLS in place of a start-up message, and the answer: there is none. */
const TLS_REQUEST = 80_877_103;
const NO_TLS = 'N';
const TERMINATE = 'X'.charCodeAt(0);

/** The messages of a client, whole (PostgreSQL, Message Formats); ends when the client takes its leave. */
export async function* messagesOf(socket: Socket): AsyncGenerator<Uint8Array> {
  let bytes = Buffer.alloc(0);
  // Only the first message, the start-up, has no type in front of its length.
  let typeLength = 0;
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk]);
    for (let message = firstOf(bytes, typeLength); message; message = firstOf(bytes, typeLength)) {
      bytes = bytes.subarray(message.length);
      if (typeLength === 0 && asksForTls(message)) {
        socket.write(NO_TLS);
        continue;
      }
      if (typeLength === 1 && message[0] === TERMINATE) return;
      typeLength = 1;
      yield new Uint8Array(message);
    }
  }
}

/** The first message; undefined until it is whole. */
function firstOf(bytes: Buffer, typeLength: number): Buffer | undefined {
  if (bytes.length < typeLength + 4) return undefined;
  const length = typeLength + bytes.readInt32BE(typeLength);
  return bytes.length < length ? undefined : bytes.subarray(0, length);
}

function asksForTls(message: Buffer): boolean {
  return message.length === 8 && message.readInt32BE(4) === TLS_REQUEST;
}
