import type { Agent, Dispatcher } from 'undici';
import { monotonicTime, now } from '../../process/clock.js';

/** The whole request, from connecting to the last byte read. */
export const REQUEST_MS = 10_000;
/** Reading stops here: a response may be endless. */
const RESPONSE_BYTES = 64 * 1024;
const KEPT_BYTES = 1024;

interface ReceiverResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface SendResult {
  /** Null if there was no response. */
  status: number | null;
  /** The first 1 kB of the response. */
  response: string | null;
  /** Why it failed, for people; null for a 2xx. */
  error: string | null;
  /** `Retry-After`, in ms. */
  retryAfterMs: number | undefined;
  durationMs: number;
}

export interface Sender {
  /** Never throws. */
  send(url: string, headers: Record<string, string>, body: string): Promise<SendResult>;
  /** Aborts requests under way. */
  close(): Promise<void>;
}

/** Sends to receivers, without redirects, cookies or a proxy; `allowPrivate` is for development. */
export function createSender(allowPrivate: boolean): Sender {
  let opened: Promise<Agent> | undefined;

  /** Loaded with the first webhook: undici would slow every start. */
  function agent(): Promise<Agent> {
    opened ??= import('./agent.js').then(({ openAgent }) => openAgent(allowPrivate, REQUEST_MS));
    return opened;
  }

  return {
    async send(url, headers, body) {
      const start = monotonicTime();
      const result = await agent()
        .then((dispatcher) => post(dispatcher, url, headers, body))
        .then(resultOf, failureOf);
      return { ...result, durationMs: Math.round(monotonicTime() - start) };
    },
    async close() {
      await (await opened)?.destroy();
    },
  };
}

/**
 * Sends a request and reads the beginning of its response. Uses undici's `dispatch`, because a stream and
 * an abort signal for each request would cost as much as the request.
 */
function post(
  dispatcher: Dispatcher,
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<ReceiverResponse> {
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const response: Omit<ReceiverResponse, 'body'> = { status: 0, headers: {} };
    const chunks: Buffer[] = [];
    let size = 0;
    let controller: Dispatcher.DispatchController | undefined;
    let isOver = false;
    const timer = setTimeout(() => fail(timeOut()), REQUEST_MS);

    function fail(error: Error): void {
      isOver = true;
      clearTimeout(timer);
      reject(error);
      controller?.abort(error);
    }

    function succeed(): void {
      isOver = true;
      clearTimeout(timer);
      resolve({ ...response, body: Buffer.concat(chunks) });
    }

    dispatcher.dispatch(
      { origin, path: pathname + search, method: 'POST', headers, body },
      {
        onRequestStart(started) {
          controller = started;
          // It may have timed out while it waited for a connection.
          if (isOver) started.abort(timeOut());
        },
        onResponseStart(_, status, received) {
          Object.assign(response, { status, headers: received });
        },
        onResponseData(reading, chunk) {
          chunks.push(chunk);
          size += chunk.length;
          if (size <= RESPONSE_BYTES) return;
          succeed();
          reading.abort(new Error('read enough'));
        },
        onResponseEnd: succeed,
        onResponseError: (_, error) => fail(error),
      },
    );
  });
}

const timeOut = () => new DOMException('The receiver took too long.', 'TimeoutError');

function resultOf({ status, headers, body }: ReceiverResponse): Omit<SendResult, 'durationMs'> {
  return {
    status,
    // Databases truncate text at a NUL, or refuse it.
    response: body.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', ''),
    error: status >= 200 && status < 300 ? null : `The receiver answered ${status}.`,
    retryAfterMs: retryAfterOf(headers['retry-after']),
  };
}

function failureOf(error: unknown): Omit<SendResult, 'durationMs'> {
  return { status: null, response: null, error: reasonOf(error), retryAfterMs: undefined };
}

/** Must not reveal addresses or hosts of the service's network: the receiver's owner may read it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The request failed.';
  if (error.name === 'AddressRefused') return error.message;
  if (/timeout/i.test(error.name)) return 'The receiver took too long.';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return `The request failed: ${code.slice(0, 64)}.`;
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfterOf(header: string | string[] | undefined): number | undefined {
  const text = String(header);
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now();
  return ms > 0 ? ms : undefined;
}
