import { parseCookie } from 'cookie';
import { randomId } from '../random.js';

/** What a framework hands over. It reads nothing that is not asked for: most routes need no body. */
export interface RawRequest {
  method: string;
  params: Record<string, string>;
  /** The query string, with or without its `?`. */
  search: string;
  /** The client's address, after TRUST_PROXY. */
  ip: string;
  header(name: string): string | undefined;
  /** The body's bytes; throws BODY_TOO_LARGE past `limit`. */
  readBody(limit: number): Promise<Buffer>;
}

/** What handlers and logs may know about a request. */
export interface RequestFacts {
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

const CORRELATION_ID = /^[\w.:-]{1,128}$/;
const BEARER = /^Bearer(?: +(.*))?$/i;
const USER_AGENT_LENGTH = 512;

/** Reads from a request what the rest of the service needs to know of it. */
export function requestFacts(raw: RawRequest): RequestFacts {
  const id = randomId();
  const correlationId = raw.header('x-correlation-id');
  const cookieHeader = raw.header('cookie');
  const authorization = raw.header('authorization');
  return {
    id,
    correlationId: correlationId && CORRELATION_ID.test(correlationId) ? correlationId : id,
    method: raw.method,
    ip: raw.ip,
    userAgent: raw.header('user-agent')?.slice(0, USER_AGENT_LENGTH) ?? null,
    origin: raw.header('origin'),
    cookies: cookieHeader ? parseCookie(cookieHeader) : {},
    bearerToken: authorization ? bearerToken(authorization) : undefined,
    wantsBearer: raw.header('x-auth-strategy')?.toLowerCase() === 'bearer',
    csrfToken: raw.header('x-csrf-token'),
    prefersHtml: prefersHtml(raw.header('accept')),
    header: (name) => raw.header(name),
  };
}

/** True for a client that carries its tokens itself and must not be handed cookies. */
export function isBearerRequest(request: RequestFacts): boolean {
  return request.wantsBearer || request.bearerToken !== undefined;
}

/** An `Authorization: Bearer` that carries nonsense is a wrong token, not an absent one (RFC 6750 §2.1). */
function bearerToken(authorization: string): string | undefined {
  const match = BEARER.exec(authorization);
  return match ? (match[1] ?? '').trim() : undefined;
}

function prefersHtml(accept: string | undefined): boolean {
  if (!accept) return false;
  const html = accept.indexOf('text/html');
  const json = accept.indexOf('application/json');
  return html >= 0 && (json < 0 || html < json);
}
