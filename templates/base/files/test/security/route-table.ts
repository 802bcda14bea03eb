import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { mountsOf, type Route } from '../../src/http/route.js';
import type { TestService } from '../service.js';

/** All mounted routes with their full paths, for attacks on each of them. */
export function routesOf({ services }: TestService): Route[] {
  return mountsOf(services).flatMap(({ prefix, routes }) =>
    routes.map((route) => ({ ...route, path: prefix + route.path })),
  );
}

/** Fills in a path's parameters; the last value serves for all that are left. */
export function fill(path: string, ...values: string[]): string {
  let at = 0;
  return path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values[at++] ?? values.at(-1) ?? ''));
}

/** True for a route that changes something, and takes a body. */
export function isUnsafe({ method }: Route): boolean {
  return method !== 'GET';
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
