import type { LookupAddress, LookupOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { now } from '../../process/clock.js';
import { hostOf, isPublicAddress } from '../../process/public-addresses.js';

/** The whole request, from connecting to the last byte read; well below the lease of `claim.ts`. */
const REQUEST_MS = 10_000;
const CONNECT_MS = 5_000;
/** Less than the 5 s after which many servers close an idle connection. */
const IDLE_MS = 4_000;
/** Reading stops here, since a response may be endless. */
const RESPONSE_BYTES = 64 * 1024;
const KEPT_BYTES = 1024;

export interface SendResult {
  /** Null if there was no response. */
  status: number | null;
  /** The first 1 kB of the response. */
  response: string | null;
  /** Why it failed, for people; null for a 2xx. */
  error: string | null;
  /** `Retry-After`, in ms. */
  retryAfterMs: number | undefined;
}

export type Sender = ReturnType<typeof createSender>;

/** Sends to receivers, without redirects, cookies or a proxy; `allowPrivate` is for development. */
export function createSender(allowPrivate: boolean) {
  const options = {
    keepAlive: true,
    timeout: IDLE_MS,
    ...(allowPrivate ? {} : { lookup: lookUpPublic }),
  };
  const plain = { request: http.request, agent: new http.Agent(options) };
  const secure = { request: https.request, agent: new https.Agent(options) };

  async function post(to: string, headers: Record<string, string>, body: string) {
    const url = new URL(to);
    // Literal addresses skip the look-up that refuses private names. A name without a dot is not public.
    const host = hostOf(url);
    const isPublicName = isIP(host) === 0 && host.includes('.');
    if (!allowPrivate && !isPublicName && !isPublicAddress(host)) throw notPublic();
    const { request, agent } = url.protocol === 'https:' ? secure : plain;
    const sent = request(url, { method: 'POST', agent, headers });
    const giveUp = () => sent.destroy(new SendError('The receiver took too long.'));
    const connecting = setTimeout(() => sent.socket?.connecting && giveUp(), CONNECT_MS);
    const answering = setTimeout(giveUp, REQUEST_MS);
    // After `101 Switching Protocols` there is neither a response nor an error.
    const closed = once(sent, 'close').then(() => {
      throw new SendError('The receiver closed the connection without a response.');
    });
    try {
      const [response] = await Promise.race([once(sent.end(body), 'response'), closed]);
      return await resultOf(response);
    } finally {
      clearTimeout(connecting);
      clearTimeout(answering);
    }
  }

  return {
    /** Never throws. */
    send: (url: string, headers: Record<string, string>, body: string) =>
      post(url, headers, body).catch(failureOf),
    /** Aborts requests under way. */
    close() {
      for (const { agent } of [plain, secure]) agent.destroy();
    },
  };
}

/** A failure whose message is for people. */
class SendError extends Error {}

const notPublic = () =>
  new SendError('The address is not public. WEBHOOK_ALLOW_PRIVATE=on would allow it.');

/** Reads the response, or its beginning. */
async function resultOf(response: http.IncomingMessage): Promise<SendResult> {
  const status = response.statusCode ?? 0;
  let error = status >= 200 && status < 300 ? null : `The receiver answered ${status}.`;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > RESPONSE_BYTES) break;
    }
  } catch {
    // Its status and `Retry-After` count even so.
    error ??= 'The response did not end.';
  }
  // Databases truncate text at a NUL, or refuse it.
  const text = Buffer.concat(chunks).toString('utf8', 0, KEPT_BYTES).replaceAll('\0', '');
  const retryAfterMs = retryAfterOf(response.headers['retry-after']);
  return { status, response: text, error, retryAfterMs };
}

/** The reason must not reveal addresses or hosts of the service's network: the receiver's owner may read it. */
function failureOf(error: NodeJS.ErrnoException): SendResult {
  if (error instanceof SendError) return failure(error.message);
  return failure(`The request failed: ${error.code ?? error.name}.`);
}

/** The result of a request without a response. */
export function failure(error: string): SendResult {
  return { status: null, response: null, error, retryAfterMs: undefined };
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfterOf(header = ''): number | undefined {
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now();
  return ms > 0 ? ms : undefined;
}

type Callback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Gives up before `CONNECT_MS`, so that an address without its other kind can still be connected to. */
const DNS_LIMITS = { timeout: 1_000, tries: 2 };

/**
 * Resolves a name when connecting: a check beforehand would prove nothing, because the name may resolve to another
 * address the next time (DNS rebinding). A private address among several refuses all of them, since each might
 * be the one connected to. Not by `dns.lookup`: a few names whose server does not answer would block it for all.
 */
async function lookUpPublic(host: string, { all }: LookupOptions, callback: Callback) {
  const resolver = new Resolver(DNS_LIMITS);
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = answers.flatMap((answer) => ('value' in answer ? answer.value : []));
  const addresses = found.map((address) => ({ address, family: isIP(address) }));
  const [first] = addresses;
  if (!first && 'reason' in answers[0]) return callback(answers[0].reason, []);
  if (!first || !found.every(isPublicAddress)) return callback(notPublic(), []);
  if (all) return callback(null, addresses);
  callback(null, first.address, first.family);
}
