import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorCodes } from '../src/error-codes.js';
import { requestText, sendBytes, type WireAnswer } from './wire.js';

/** All that came over the socket, header lines sorted; what is random or of the moment is `*`. */
export interface ExactAnswer {
  statusLine: string;
  lines: string[];
  body: string;
}

const OF_THE_MOMENT = /^(date|x-request-id|set-cookie: csrf-token)([:=] ?)[^;]*/;

/** The one answer to a request that is the last on its connection, of a client that keeps no cookies. */
export async function ask(
  service: { url: string },
  line: string,
  headers: string[] = [],
  body = '',
): Promise<ExactAnswer> {
  const all = ['X-Auth-Strategy: bearer', ...headers, 'Connection: close'];
  return onlyOne(await sendBytes(service, requestText(line, all, body)));
}

/** As `ask`, with a JSON body. */
export function askWith(
  service: { url: string },
  line: string,
  body: string,
  headers: string[] = [],
): Promise<ExactAnswer> {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return ask(service, line, ['Content-Type: application/json', length, ...headers], body);
}

/** The only one of these answers. */
export function onlyOne(answers: WireAnswer[]): ExactAnswer {
  const [answer, ...others] = answers;
  if (!answer || others.length > 0) throw new Error(`${answers.length} answers came.`);
  return exactly(answer);
}

export function exactly({ statusLine, lines, body }: WireAnswer): ExactAnswer {
  return {
    statusLine,
    lines: lines.map((line) => line.replace(OF_THE_MOMENT, '$1$2*')).sort(),
    body,
  };
}

/** What a whole answer of these lines is, the usual ones added: the last on its connection. */
export function answered(status: number, body: string, ...lines: string[]): ExactAnswer {
  return {
    statusLine: `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    lines: [
      'cache-control: no-store',
      'connection: close',
      `content-length: ${Buffer.byteLength(body)}`,
      'content-type: application/json; charset=utf-8',
      'date: *',
      'vary: Origin',
      'x-content-type-options: nosniff',
      'x-request-id: *',
      ...lines,
    ].sort(),
    body,
  };
}

/** What a refusal is, whole. */
export function refused(code: ErrorCode, ...lines: string[]): ExactAnswer {
  const { status, message } = errorCodes[code];
  return answered(status, JSON.stringify({ error: message, code }), ...lines);
}

/** What bytes get that are no request: they reach no route, and so no rule of one. */
export function unreadable(code: ErrorCode): ExactAnswer {
  const whole = refused(code);
  const missing = ['date: *', 'vary: Origin', 'x-content-type-options: nosniff'];
  return { ...whole, lines: whole.lines.filter((line) => !missing.includes(line)) };
}
