import {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import readBody from 'raw-body';
import type { ErrorCode } from '../error-codes.js';
import { mountsOf } from '../routes.js';
import type { Services } from '../services.js';
import { answerRefusal, dispatch, resourcesOf } from './dispatch.js';
import { HttpError, refuse } from './errors.js';
import type { RawRequest } from './request.js';
import type { Answer } from './respond.js';

const NO_BODY = Buffer.alloc(0);

/**
 * The route tables as a handler for any Express app. Express tries its paths one after the other;
 * those without parameters, which are nearly all and the busy ones, are looked up instead.
 */
export function authRouter(services: Services): RequestHandler {
  // As in the other frameworks, and as cookie paths are compared: /auth/me is not /Auth/Me/.
  const router = Router({ caseSensitive: true, strict: true });
  const literal = new Map<string, RequestHandler>();
  for (const mount of mountsOf(services.config)) {
    for (const [path, resource] of resourcesOf(mount.routes, services)) {
      const handle: RequestHandler = async (request, response) => {
        send(request, response, await dispatch(resource, rawRequest(request), services));
      };
      if (path.includes('{')) router.all(mount.prefix + expressPath(path), handle);
      else literal.set(mount.prefix + path, handle);
    }
  }
  return (request, response, next) => {
    const { path } = splitUrl(request.url);
    return (literal.get(path) ?? router)(request, response, next);
  };
}

/** Answers a path that nobody took with 404 NOT_FOUND, as JSON. */
export function refuseUnknownPaths(services: Services): RequestHandler {
  return (request, response) => {
    send(request, response, answerRefusal(refuse('NOT_FOUND'), rawRequest(request), services));
  };
}

/** Answers what Express or a route of yours threw, in the service's form and without a stack trace. */
export function refuseErrors(services: Services): ErrorRequestHandler {
  return (error, request, response, next) => {
    if (response.headersSent) return next(error);
    send(request, response, answerRefusal(failureOf(error), rawRequest(request), services));
  };
}

/** The request as the service reads it. */
export function rawRequest(request: Request): RawRequest {
  // Read once: Express gives every request a shape of its own, so V8 looks each property up anew.
  const { headers, url } = request;
  return {
    method: request.method,
    params: request.params as Record<string, string>,
    search: splitUrl(url).search,
    // Without a proxy's header both are the same, and Express takes long to find out.
    ip: (headers['x-forwarded-for'] ? request.ip : request.socket.remoteAddress) ?? '',
    header: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    readBody: (limit) => readBytes(request, limit),
  };
}

function splitUrl(url: string): { path: string; search: string } {
  const mark = url.indexOf('?');
  if (mark < 0) return { path: url, search: '' };
  return { path: url.slice(0, mark), search: url.slice(mark + 1) };
}

async function readBytes(request: Request, limit: number): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  // A request has a body only if one of these says so (RFC 9112 §6.3).
  if (coding === undefined && (length === undefined || length === '0')) return NO_BODY;
  // An app that parses JSON before this router has emptied the stream.
  if (request.readableEnded && request.body !== undefined) {
    return Buffer.from(JSON.stringify(request.body));
  }
  try {
    return await readBody(request, { limit, length: length ?? null });
  } catch (error) {
    // The rest of the body is not read: the connection cannot be used again.
    request.res?.setHeader('Connection', 'close');
    const failure = failureOf(error);
    throw failure instanceof HttpError ? failure : refuse('INVALID_JSON');
  }
}

/** The refusals that Express and its body parsers throw, by what they call them. */
const REFUSALS = new Map<unknown, ErrorCode>([
  ['entity.parse.failed', 'INVALID_JSON'],
  ['entity.too.large', 'BODY_TOO_LARGE'],
  ['encoding.unsupported', 'UNSUPPORTED_MEDIA_TYPE'],
  ['charset.unsupported', 'UNSUPPORTED_MEDIA_TYPE'],
]);

function failureOf(error: unknown): unknown {
  // Express throws for a path with a broken percent-encoding: no route has such a path.
  if (error instanceof URIError) return refuse('NOT_FOUND');
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  const code = REFUSALS.get(type);
  return code ? refuse(code) : error;
}

/** Written straight to the socket: the answer is complete, and Express would only hash and copy it. */
function send(request: Request, response: Response, answer: Answer): void {
  const { status, headers, body } = answer;
  // RFC 9110 §8.6: an answer without content (204) has no Content-Length.
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** `/sessions/{handle}` → `/sessions/:handle` */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
