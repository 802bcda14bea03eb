import { Agent, type Dispatcher, request } from 'undici';
import { monotonicTime } from '../../clock.js';
import { AddressRefused, guardedConnector } from './guarded-connector.js';

/** From the first byte that is sent to the last that is read. */
export const REQUEST_MS = 10_000;
/** Nobody needs more of a receiver's answer; an endless one must end. */
const ANSWER_BYTES = 64 * 1024;
const KEPT_BYTES = 1024;

/** How a receiver took it. */
export interface SendResult {
  /** Null if there was no answer. */
  status: number | null;
  /** The first 1 kB of the answer. */
  response: string | null;
  /** What went wrong, for people. */
  error: string | null;
  /** What `Retry-After` asks for, in ms. */
  retryAfterMs: number | undefined;
  durationMs: number;
}

export interface Sender {
  send(url: string, headers: Record<string, string>, body: string): Promise<SendResult>;
  close(): Promise<void>;
}

/** Sends to receivers: no redirects, no cookies, no proxy; `allowPrivate` for development alone. */
export function createSender(allowPrivate: boolean): Sender {
  const agent = new Agent({
    connect: guardedConnector(allowPrivate),
    headersTimeout: REQUEST_MS,
    bodyTimeout: REQUEST_MS,
    maxHeaderSize: 16 * 1024,
  });

  async function post(url: string, headers: Record<string, string>, body: string) {
    const answer = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    const response = await readStart(answer.body);
    const isSuccess = answer.statusCode >= 200 && answer.statusCode < 300;
    return {
      status: answer.statusCode,
      response,
      error: isSuccess ? null : `The receiver answered ${answer.statusCode}.`,
      retryAfterMs: retryAfterOf(answer.headers['retry-after']),
    };
  }

  return {
    async send(url, headers, body) {
      const start = monotonicTime();
      const result = await post(url, headers, body).catch(failureOf);
      return { ...result, durationMs: Math.round(monotonicTime() - start) };
    },
    close: () => agent.destroy(),
  };
}

/** Reads 64 kB at most and keeps the first 1 kB as text. */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk);
    if (size < KEPT_BYTES) kept.push(bytes.subarray(0, KEPT_BYTES - size));
    size += bytes.length;
    // Leaving the loop destroys the rest of the body, and its connection.
    if (size > ANSWER_BYTES) break;
  }
  // Databases cut a text at a NUL, or refuse it.
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '');
}

function failureOf(error: unknown): Omit<SendResult, 'durationMs'> {
  return { status: null, response: null, error: reasonOf(error), retryAfterMs: undefined };
}

/** A sentence without addresses or names of the service's own network: receivers' owners may read it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The request failed.';
  if (error instanceof AddressRefused) return error.message;
  if (error.name === 'TimeoutError' || /timeout/i.test(error.name)) {
    return 'The receiver took too long.';
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return `The request failed: ${code.slice(0, 64)}.`;
}

/** RFC 9110 §10.2.3: seconds, or a date. Dates are not understood here: clocks differ. */
function retryAfterOf(header: string | string[] | undefined): number | undefined {
  const seconds = Number(header);
  return header !== undefined && Number.isFinite(seconds) && seconds >= 0
    ? seconds * 1000
    : undefined;
}
