import type { Agent } from 'undici';
import { monotonicTime, now } from '../../clock.js';
import { AddressRefused } from './address-refused.js';
import { post } from './post.js';

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
  let opened: Promise<Agent> | undefined;

  /** Loaded with the first webhook: undici is much of what a start would read. */
  function agent(): Promise<Agent> {
    opened ??= import('./agent.js').then(({ openAgent }) => openAgent(allowPrivate, REQUEST_MS));
    return opened;
  }

  async function answerTo(url: string, headers: Record<string, string>, body: string) {
    const limits = { durationMs: REQUEST_MS, bodyBytes: ANSWER_BYTES };
    const answer = await post(await agent(), { url, headers, body }, limits);
    const isSuccess = answer.status >= 200 && answer.status < 300;
    return {
      status: answer.status,
      response: startOf(answer.body),
      error: isSuccess ? null : `The receiver answered ${answer.status}.`,
      retryAfterMs: retryAfterOf(answer.headers['retry-after']),
    };
  }

  return {
    async send(url, headers, body) {
      const start = monotonicTime();
      const result = await answerTo(url, headers, body).catch(failureOf);
      return { ...result, durationMs: Math.round(monotonicTime() - start) };
    },
    async close() {
      await (await opened)?.destroy();
    },
  };
}

/** Databases cut a text at a NUL, or refuse it. */
function startOf(body: Buffer): string {
  return body.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '');
}

function failureOf(error: unknown): Omit<SendResult, 'durationMs'> {
  return { status: null, response: null, error: reasonOf(error), retryAfterMs: undefined };
}

/** A sentence without addresses or names of the service's own network: receivers' owners may read it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The request failed.';
  if (error instanceof AddressRefused) return error.message;
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
