import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import type { Config } from '../config.js';
import { monotonicTime } from '../process/clock.js';
import { randomId } from '../process/random.js';
import { readBytes } from './body.js';
import { readCookies } from './cookies.js';
import { refuse } from './errors.js';

/** What handlers and logs see of a request. */
export interface RequestInfo {
  id: string;
  /** From `monotonicTime`. */
  startedAt: number;
  /** The caller's X-Correlation-Id, or the request's id; carried by every event. */
  correlationId: string;
  method: string;
  /** Without the query string. */
  path: string;
  ip: string;
  userAgent: string | null;
  origin: string | undefined;
  cookies: Record<string, string | undefined>;
  bearerToken: string | undefined;
  /** True if tokens go into the body: `X-Auth-Strategy: bearer`. */
  wantsBearer: boolean;
  csrfToken: string | undefined;
  /** True for a browser that navigates rather than a script that fetches: its Accept header prefers HTML. */
  prefersHtml: boolean;
  /** BCP 47: the language of the mails and texts that it causes, by `emailLang` of its body; MAIL_LANGUAGE if absent. */
  language?: string | undefined;
  /** Any other header, by its name in lower case. */
  header(name: string): string | undefined;
}

/** A request as a framework hands it over. The body is read only when a route asks for it: most need none. */
export interface ServiceRequest extends RequestInfo {
  params: Record<string, string>;
  /** The query string without its `?`. */
  search: string;
  /** The body's bytes; throws BODY_TOO_LARGE past `limit`, INVALID_JSON if the client disconnects. */
  readBody(limit: number): Promise<Buffer>;
}

export const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
const CORRELATION_ID = /^[\w.:-]{1,128}$/;
const USER_AGENT_LENGTH = 512;

/** A URL without the host that an absolute one names: RFC 9112 §3.2.2 lets any client send `GET http://…`. */
export function originForm(url = ''): string {
  return url.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}

/**
 * Makes a reader for Node's request, which every framework hands over; it trusts the proxies of
 * TRUST_PROXY. `readBefore` returns the body if a parser in front has already read it.
 */
export function requestReader(config: Config) {
  const trusts = trustedProxies(config);
  return (
    request: IncomingMessage,
    params: Record<string, string> = {},
    readBefore?: () => Promise<Buffer | undefined> | Buffer | undefined,
  ): ServiceRequest => {
    const { headers, method = 'GET' } = request;
    const url = originForm(request.url);
    const header = (name: string) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    };
    const id = randomId();
    const correlationId = header('x-correlation-id');
    const mark = url.indexOf('?');
    return {
      id,
      startedAt: monotonicTime(),
      correlationId: correlationId && CORRELATION_ID.test(correlationId) ? correlationId : id,
      method,
      path: mark < 0 ? url : url.slice(0, mark),
      params,
      search: mark < 0 ? '' : url.slice(mark + 1),
      ip: clientIp(request, trusts),
      userAgent: headers['user-agent']?.slice(0, USER_AGENT_LENGTH) ?? null,
      origin: headers.origin,
      cookies: headers.cookie ? readCookies(headers.cookie) : {},
      bearerToken: bearerToken(headers.authorization),
      wantsBearer: header('x-auth-strategy')?.toLowerCase() === 'bearer',
      csrfToken: header('x-csrf-token'),
      prefersHtml: prefersHtml(headers.accept),
      header,
      async readBody(limit) {
        const bytes = (await readBefore?.()) ?? (await readBytes(request, limit));
        if (bytes.length > limit) throw refuse('BODY_TOO_LARGE');
        return bytes;
      },
    };
  };
}

/** True for a client that carries its tokens itself and must not be handed cookies. */
export function isBearerRequest(request: RequestInfo): boolean {
  return request.wantsBearer || request.bearerToken !== undefined;
}

const BEARER = /^Bearer(?: +(.*))?$/i;

/** An `Authorization: Bearer` with a malformed token is a wrong token, not an absent one (RFC 6750 §2.1). */
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
type TrustsProxy = (address: string, hop: number) => boolean;

/** TRUST_PROXY as a predicate; frameworks use it too when they read the headers of proxies. */
export function trustedProxies({ TRUST_PROXY }: Config): TrustsProxy {
  if (typeof TRUST_PROXY === 'number') return (_address, hop) => hop < TRUST_PROXY;
  const trusts = proxyAddr.compile(TRUST_PROXY);
  return (address, hop) => trusts(withoutPort(address) ?? address, hop);
}

/**
 * The client's IP: the last entry of X-Forwarded-For that is not a trusted proxy. For an entry that is
 * no IP address, such as `unknown`, the proxy that sent it counts. Empty if the connection is gone.
 */
function clientIp(request: IncomingMessage, trusts: TrustsProxy): string {
  const { remoteAddress = '' } = request.socket;
  if (request.headers['x-forwarded-for'] === undefined) return remoteAddress;
  const [, ...forwarded] = proxyAddr.all(request, trusts);
  return forwarded.map(withoutPort).findLast((address) => address !== undefined) ?? remoteAddress;
}

const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/;

/** Some load balancers append the port; with it, each connection would count as another client. */
function withoutPort(entry: string): string | undefined {
  const [, inBrackets, beforeColon] = WITH_PORT.exec(entry) ?? [];
  const address = inBrackets ?? beforeColon ?? entry;
  // An IPv6 zone is meaningful only on its own machine, and the sender chooses its length.
  return isIP(address) > 0 && !address.includes('%') ? address : undefined;
}
