import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { parseCookie } from 'cookie';
import proxyAddr from 'proxy-addr';
import type { Config } from '../config.js';
import { randomId } from '../process/random.js';
import { type LeftByParser, readBytes } from './body.js';

/** What a framework hands over. It reads nothing that is not asked for: most routes need no body. */
export interface RawRequest {
  method: string;
  params: Record<string, string>;
  /** The query string without its `?`. */
  search: string;
  /** The client's IP address, after TRUST_PROXY. */
  ip: string;
  header(name: string): string | undefined;
  /** The body's bytes; throws BODY_TOO_LARGE past `limit`, INVALID_JSON if the client broke off. */
  readBody(limit: number): Promise<Buffer>;
}

/** What handlers and logs may know about a request. */
export interface RequestInfo {
  id: string;
  /** The caller's X-Correlation-Id, or the request's id; carried by every event. */
  correlationId: string;
  method: string;
  ip: string;
  userAgent: string | null;
  origin: string | undefined;
  cookies: Record<string, string | undefined>;
  bearerToken: string | undefined;
  /** True if tokens belong into the body: `X-Auth-Strategy: bearer`. */
  wantsBearer: boolean;
  csrfToken: string | undefined;
  /** True for a browser that navigates, rather than a script that fetches: its Accept prefers HTML. */
  prefersHtml: boolean;
  /** Any other header, by its name in lower case. */
  header(name: string): string | undefined;
}

/** Reads Node's request, which every framework hands over. */
export type ReadRequest = (
  request: IncomingMessage,
  params?: Record<string, string>,
  leftBy?: LeftByParser,
) => RawRequest;

const NO_PARAMS = {};

/** A reader that believes the proxies of TRUST_PROXY. */
export function requestReader(config: Config): ReadRequest {
  const trusts = trustedProxies(config);
  return (request, params = NO_PARAMS, leftBy) => {
    const { headers, method = 'GET', url = '' } = request;
    const mark = url.indexOf('?');
    return {
      method,
      params,
      search: mark < 0 ? '' : url.slice(mark + 1),
      ip: clientIp(request, trusts),
      header: (name) => {
        const value = headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      },
      readBody: (limit) => readBytes(request, limit, leftBy),
    };
  };
}

const CORRELATION_ID = /^[\w.:-]{1,128}$/;
const USER_AGENT_LENGTH = 512;

/** Reads from a request what the rest of the service needs to know of it. */
export function requestInfo(raw: RawRequest): RequestInfo {
  const id = randomId();
  const correlationId = raw.header('x-correlation-id');
  const cookieHeader = raw.header('cookie');
  return {
    id,
    correlationId: correlationId && CORRELATION_ID.test(correlationId) ? correlationId : id,
    method: raw.method,
    ip: raw.ip,
    userAgent: raw.header('user-agent')?.slice(0, USER_AGENT_LENGTH) ?? null,
    origin: raw.header('origin'),
    cookies: cookieHeader ? parseCookie(cookieHeader) : {},
    bearerToken: bearerToken(raw.header('authorization')),
    wantsBearer: raw.header('x-auth-strategy')?.toLowerCase() === 'bearer',
    csrfToken: raw.header('x-csrf-token'),
    prefersHtml: prefersHtml(raw.header('accept')),
    header: raw.header,
  };
}

/** True for a client that carries its tokens itself and must not be handed cookies. */
export function isBearerRequest(request: RequestInfo): boolean {
  return request.wantsBearer || request.bearerToken !== undefined;
}

const BEARER = /^Bearer(?: +(.*))?$/i;

/** An `Authorization: Bearer` that carries nonsense is a wrong token, not an absent one (RFC 6750 §2.1). */
function bearerToken(authorization: string | undefined): string | undefined {
  const match = authorization && BEARER.exec(authorization);
  return match ? (match[1] ?? '').trim() : undefined;
}

function prefersHtml(accept: string | undefined): boolean {
  if (!accept) return false;
  const html = accept.indexOf('text/html');
  const json = accept.indexOf('application/json');
  return html >= 0 && (json < 0 || html < json);
}

/** True for a proxy of ours: `hop` counts from this service outwards, from 0. */
export type TrustsProxy = (address: string, hop: number) => boolean;

/** TRUST_PROXY as a rule; frameworks take it for their own reading of proxies' headers. */
export function trustedProxies({ TRUST_PROXY }: Config): TrustsProxy {
  if (typeof TRUST_PROXY === 'number') return (_address, hop) => hop < TRUST_PROXY;
  const trusts = proxyAddr.compile(TRUST_PROXY);
  return (address, hop) => trusts(withoutPort(address) ?? address, hop);
}

/**
 * Who sent a request: the last entry of X-Forwarded-For that no proxy of ours vouches for. An entry that is no
 * IP address, such as `unknown`, counts for the proxy that sent it. Empty if the connection is gone.
 */
function clientIp(request: IncomingMessage, trusts: TrustsProxy): string {
  const { remoteAddress = '' } = request.socket;
  if (request.headers['x-forwarded-for'] === undefined) return remoteAddress;
  const [, ...forwarded] = proxyAddr.all(request, trusts);
  return forwarded.map(withoutPort).findLast((address) => address !== undefined) ?? remoteAddress;
}

const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/;

/** Some balancers add the port: with it, each connection would count as another client. */
function withoutPort(entry: string): string | undefined {
  const [, inBrackets, beforeColon] = WITH_PORT.exec(entry) ?? [];
  const address = inBrackets ?? beforeColon ?? entry;
  // An IPv6 zone has a meaning on its own machine only, and is as long as the sender likes.
  return isIP(address) > 0 && !address.includes('%') ? address : undefined;
}
