import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorRequestHandler, type Request, type RequestHandler, Router } from 'express';
import type { Services } from '../services.js';
import type { Caller } from '../session/authenticate.js';
import { admitCaller, answer, answerError, answerOtherMethod } from './answer.js';
import { readBytes } from './body.js';
import { ownCors } from './cross-site.js';
import { exposedError, refuse } from './errors.js';
import { type Route, resourceAt } from './route.js';
import { writeResponse } from './server.js';

declare global {
  namespace Express {
    interface Request {
      /** The signed-in user, behind `requireUser`. */
      caller?: Caller;
    }
  }
}

/**
 * The service's routes for any Express app, mounted at its root: paths count in full, from AUTH_PREFIX on.
 * Sets the CORS headers of ALLOWED_ORIGINS on what comes after it.
 */
export function authRouter(services: Services): Router {
  const { config, resources, readRequest } = services;
  const router = Router({ caseSensitive: true, strict: true });
  const raw = (request: Request) => {
    const readBefore = () => bodies.get(request) ?? bytesLeftBy(request);
    return readRequest(request, request.params as Record<string, string>, readBefore);
  };
  for (const resource of resources) {
    const path = router.route(resource.path);
    for (const route of resource.routes) {
      const method = route.method.toLowerCase() as Lowercase<Route['method']>;
      path[method](async (request, response) => {
        writeResponse(response, await answer(route, raw(request), services));
      });
    }
    path.all((request, response) => {
      writeResponse(response, answerOtherMethod(services, request, resource));
    });
  }
  return router.use((request, response, next) => {
    const { headers, isPreflight } = ownCors(config, request);
    const { vary, ...others } = headers;
    response.vary(vary).set(others);
    if (isPreflight) response.status(204).end();
    else next();
  });
}

const bodies = new WeakMap<IncomingMessage, Promise<Buffer>>();

/**
 * Reads the bodies of the service's requests before your app does: parsers in it, such as `express.json()`,
 * skip a body that was read, so none can change or refuse the bytes that signatures cover.
 */
export function readBodiesFirst(services: Services) {
  const { config, resources, readRequest } = services;
  return async (request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const { method, url } = request;
    const resource = resourceAt(resources, url);
    if (!resource || method === 'GET' || method === 'HEAD') return next();
    const body = readBytes(request, config.BODY_LIMIT);
    bodies.set(request, body);
    try {
      await body;
    } catch {
      // Refused at once: a parser would take the rest of it for a body.
      const raw = readRequest(request, {}, () => body);
      const route = resource.routes.find((each) => each.method === method);
      const result = route
        ? answer(route, raw, services)
        : answerOtherMethod(services, request, resource);
      return writeResponse(response, await result);
    }
    return next();
  };
}

/**
 * Middleware for your own routes: lets signed-in users pass, with `request.caller` set, and checks
 * the CSRF token of unsafe cookie requests. With `permission`, their roles must allow it too.
 */
export function requireUser(services: Services, permission?: string): RequestHandler {
  return async (request, _response, next) => {
    request.caller = await admitCaller(services, request, permission);
    next();
  };
}

/** Answers a path that no route took with 404 NOT_FOUND, as JSON. */
export function refuseUnknownPaths(services: Services): RequestHandler {
  return (request, response) => {
    writeResponse(response, answerError(services, request, refuse('NOT_FOUND')));
  };
}

/** Answers an error thrown by Express or a route of yours, in the service's form and without a stack trace. */
export function refuseErrors(services: Services): ErrorRequestHandler {
  return (error, request, response, next) => {
    if (response.headersSent) return next(error);
    writeResponse(response, answerError(services, request, clientError(error) ?? error));
  };
}

function clientError(error: unknown) {
  // Express throws for a path with a broken percent-encoding: no route has such a path.
  if (error instanceof URIError) return refuse('NOT_FOUND');
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  return type === 'entity.parse.failed' ? refuse('INVALID_JSON') : exposedError(error);
}

/** The body as a parser in front of the router has left it; undefined if there was no parser. */
function bytesLeftBy(request: Request): Buffer | undefined {
  const { readableEnded, body } = request;
  if (!readableEnded || body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  const isForm = request.is('urlencoded');
  return Buffer.from(isForm ? String(new URLSearchParams(body)) : JSON.stringify(body));
}
