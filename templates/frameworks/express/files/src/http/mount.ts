import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { ErrorCode } from '../error-codes.js';
import type { Services } from '../services.js';
import { answerRefusal, dispatch } from './dispatch.js';
import { refuse } from './errors.js';
import { failureBehind } from './foreign-errors.js';
import { requestReader } from './node-request.js';
import type { Answer } from './respond.js';
import { routeFinder } from './route-finder.js';

/**
 * The routes of the service as a middleware for any Express app; every other path goes on to the next.
 * Paths count in full, wherever it is mounted: AUTH_PREFIX and its like say where they begin.
 */
export function authRouter(services: Services): RequestHandler {
  const find = routeFinder(services);
  const read = requestReader(services.config);
  return async (request, response, next) => {
    const found = find(request.originalUrl);
    if (!found) return next();
    const raw = read(request, found.params, () => bytesReadBefore(request));
    send(response, await dispatch(found.resource, raw, services));
  };
}

/** Answers a path that nobody took with 404 NOT_FOUND, as JSON. */
export function refuseUnknownPaths(services: Services): RequestHandler {
  const read = requestReader(services.config);
  return (request, response) => {
    send(response, answerRefusal(refuse('NOT_FOUND'), read(request), services));
  };
}

/** Answers what Express or a route of yours threw, in the service's form and without a stack trace. */
export function refuseErrors(services: Services): ErrorRequestHandler {
  const read = requestReader(services.config);
  return (error, request, response, next) => {
    if (response.headersSent) return next(error);
    send(response, answerRefusal(failureOf(error, request), read(request), services));
  };
}

const keptBytes = new WeakMap<IncomingMessage, Buffer>();

/**
 * For an app that parses JSON before it comes to `authRouter`: `express.json({ verify: keepBytes })`.
 * A signature is over the bytes of a body, which no parsed one gives back.
 */
export function keepBytes(request: IncomingMessage, _response: unknown, bytes: Buffer): void {
  keptBytes.set(request, bytes);
}

/** What a body parser in front of the router has left of the body; undefined if there was none. */
function bytesReadBefore(request: Request): Buffer | undefined {
  if (!request.readableEnded || request.body === undefined) return undefined;
  return keptBytes.get(request) ?? Buffer.from(JSON.stringify(request.body));
}

/** The refusals that Express and its body parsers throw, by what they call them. */
const REFUSALS = new Map<unknown, ErrorCode>([
  ['entity.parse.failed', 'INVALID_JSON'],
  ['entity.too.large', 'BODY_TOO_LARGE'],
  ['encoding.unsupported', 'UNSUPPORTED_MEDIA_TYPE'],
  ['charset.unsupported', 'UNSUPPORTED_MEDIA_TYPE'],
]);

function failureOf(error: unknown, request: Request): unknown {
  // Express throws for a path with a broken percent-encoding: no route has such a path.
  if (error instanceof URIError) return refuse('NOT_FOUND');
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  const code = REFUSALS.get(type);
  return code ? refuse(code) : failureBehind(error, request);
}

/** Written straight to the socket: the answer is complete, and Express would only hash and copy it. */
function send(response: Response, { status, headers, cookies, body }: Answer): void {
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(status, headers).end(body);
}
