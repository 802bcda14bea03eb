import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseSetCookie, type SetCookie } from 'cookie';
import type { TestService } from './service.js';

export interface Answer {
  status: number;
  /** The JSON body, or the text of a page; undefined if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  body: any;
  headers: Headers;
  /** The cookies that it sets or, with `maxAge` 0, deletes. */
  setCookies: SetCookie[];
}

export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Any other method; a text is sent as it is, anything else as JSON. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** The cookies that the client holds. */
  cookies: Map<string, string>;
}

/** A client like a browser: keeps cookies and sends the CSRF token back in its header. */
export function browser(service: TestService, cookies = new Map<string, string>()): Client {
  return clientOf(service, cookies, () => ({
    ...(cookies.size > 0 ? { cookie: cookieHeader(cookies) } : {}),
    ...csrfHeader(cookies),
  }));
}

/** A native client: asks for tokens in the body, and sends `accessToken` if it has one. */
export function nativeClient(service: TestService, accessToken?: string): Client {
  return clientOf(service, new Map(), () => ({
    'x-auth-strategy': 'bearer',
    ...(accessToken ? { authorization: `Bearer ${accessToken}` } : {}),
  }));
}

function clientOf(
  service: TestService,
  cookies: Map<string, string>,
  credentials: () => Record<string, string>,
): Client {
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(service.url + service.prefix + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...credentials(),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const setCookies = response.headers.getSetCookie().map((header) => parseSetCookie(header));
    keepCookies(cookies, setCookies);
    const text = await response.text();
    const isPage = response.headers.get('content-type')?.startsWith('text/html');
    return {
      status: response.status,
      body: isPage ? text : (JSON.parse(text || 'null') ?? undefined),
      headers: response.headers,
      setCookies,
    };
  }
  return {
    cookies,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body = {}, headers = {}) => send('POST', path, body, headers),
    patch: (path, body = {}, headers = {}) => send('PATCH', path, body, headers),
    delete: (path, body, headers) => send('DELETE', path, body, headers),
  };
}

function keepCookies(cookies: Map<string, string>, setCookies: SetCookie[]): void {
  for (const { name, value, maxAge } of setCookies) {
    if (maxAge === 0 || value === undefined) cookies.delete(name);
    else cookies.set(name, value);
  }
}

function cookieHeader(cookies: Map<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Does what a page's script does: reads the one readable cookie and sends it back. */
function csrfHeader(cookies: Map<string, string>): Record<string, string> {
  for (const [name, value] of cookies) {
    if (name.endsWith('csrf-token')) return { 'x-csrf-token': value };
  }
  return {};
}

export interface RawRequest {
  method: string;
  /** Sent as it is: `fetch` would tidy it up. */
  path: string;
  headers?: Record<string, string | string[]>;
  /** The body, sent in pieces and without its length. */
  chunks?: string[];
}

/** Sends a request that no browser would send; `body` is the text of the response. */
export async function sendRaw({ url }: TestService, { headers, chunks, ...target }: RawRequest) {
  const { hostname, port } = new URL(url);
  const framing = chunks ? { 'transfer-encoding': 'chunked' } : {};
  // A separate connection: the service closes one on which a malformed request came.
  const options = { host: hostname, port, agent: false, ...target };
  const sent = request({ ...options, headers: { ...framing, ...headers } });
  const answered = once(sent, 'response');
  // The service may answer and close the connection before everything is sent.
  sent.on('error', () => {});
  for (const chunk of chunks ?? []) sent.write(chunk);
  sent.end();
  const [response] = await answered;
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}
