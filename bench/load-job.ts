/** One request to send. */
export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  /** `{token}` stands for the refresh token, here and in the body. */
  headers?: Record<string, string>;
  body?: string;
  /** The refresh token; that of the answer takes its place, as in a real client. */
  token?: string;
}

/** What the load generator is asked to do: bounded by number and by time, whichever comes first. */
export interface LoadJob {
  port: number;
  /** For each connection the requests that it sends in turn. */
  requests: LoadRequest[][];
  count: number;
  seconds: number;
}

export interface LoadResult {
  answered: number;
  seconds: number;
  /** Milliseconds from writing a request to having its whole answer. */
  p50: number;
  p99: number;
  /** The refresh tokens that the requests of each connection ended with. */
  tokens: (string | undefined)[][];
}

/** The refresh token of an answer: of its cookie, or of its body. */
export const REFRESH_TOKEN = /refreshToken(?:=|":")([\w.-]+)/;

/** A request as the bytes of HTTP/1.1. */
export function writeOut(request: LoadRequest): string {
  const token = request.token ?? '';
  const body = (request.body ?? '').replace('{token}', token);
  const headers = Object.entries(request.headers ?? {}).map(
    ([name, value]) => `${name}: ${value.replace('{token}', token)}\r\n`,
  );
  const length = request.method === 'POST' ? `Content-Length: ${body.length}\r\n` : '';
  const head = `${request.method} ${request.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
  return `${head}${headers.join('')}${length}\r\n${body}`;
}
