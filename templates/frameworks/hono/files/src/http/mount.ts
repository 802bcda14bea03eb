import { Readable } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import {
  type Context,
  type ErrorHandler,
  Hono,
  type MiddlewareHandler,
  type NotFoundHandler,
} from 'hono';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import type { StatusCode } from 'hono/utils/http-status';
import type { Services } from '../services.js';
import type { Caller } from '../session/authenticate.js';
import { admitCaller, answer, answerError, answerOtherMethod } from './answer.js';
import { ownCors } from './cross-site.js';
import { exposedError, refuse } from './errors.js';
import type { HttpResponse } from './response.js';
import { type Resource, resourceAt } from './route.js';

/** Node's request is read directly: a web standard one would have to be built for every request. */
export interface AuthEnv {
  Bindings: HttpBindings;
  Variables: {
    /** The signed-in user, behind `requireUser`. */
    caller: Caller;
  };
}

/**
 * The service's routes for any Hono app on Node, mounted at its root: paths count in full, from AUTH_PREFIX on.
 * Sets the CORS headers of ALLOWED_ORIGINS on what comes after it.
 */
export function authApp(services: Services): Hono<AuthEnv> {
  const { config, resources, readRequest } = services;
  const app = new Hono<AuthEnv>();
  const raw = (c: Context<AuthEnv>) => {
    return readRequest(c.env.incoming, c.req.param(), () => bytesReadBefore(c));
  };
  // Hono decodes a path before it matches, which a proxy with rules for paths may not do.
  const refuseOtherPath = ({ env: { incoming } }: Context<AuthEnv>, resource: Resource) => {
    const { url = '' } = incoming;
    if (url === resource.path) return;
    if (resourceAt(resources, url) !== resource || !isDecodable(url)) throw refuse('NOT_FOUND');
  };
  for (const resource of resources) {
    const { path, routes } = resource;
    for (const route of routes) {
      app.on(route.method, path, async (c) => {
        refuseOtherPath(c, resource);
        return responseOf(c, await answer(route, raw(c), services));
      });
    }
    app.all(path, (c) => {
      refuseOtherPath(c, resource);
      return responseOf(c, answerOtherMethod(services, c.env.incoming, resource));
    });
  }
  return app.use(async (c, next) => {
    const { headers, isPreflight } = ownCors(config, c.env.incoming);
    if (isPreflight) return c.body(null, 204, headers);
    await next();
    const { vary, ...others } = headers;
    for (const [name, value] of Object.entries(others)) c.header(name, value);
    if (!c.res.headers.get('vary')?.includes(vary)) c.header('vary', vary, { append: true });
    return undefined;
  });
}

/** Hono would pass on a parameter with a broken percent-encoding as it is: no route has such a path. */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

/**
 * Middleware for your own routes: lets signed-in users pass, with `c.var.caller` set, and checks
 * the CSRF token of unsafe cookie requests. With `permission`, their roles must allow it too.
 */
export function requireUser(services: Services, permission?: string): MiddlewareHandler<AuthEnv> {
  return createMiddleware<AuthEnv>(async (c, next) => {
    c.set('caller', await admitCaller(services, c.env.incoming, permission));
    await next();
  });
}

/** Answers a path that no route took with 404 NOT_FOUND, as JSON. */
export function refuseUnknownPaths(services: Services): NotFoundHandler {
  return (c) => responseOf(c, answerError(services, c.env.incoming, refuse('NOT_FOUND')));
}

/** Answers an error thrown by a route of yours, in the service's form and without a stack trace. */
export function refuseErrors(services: Services): ErrorHandler {
  return async (error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    const reason = (await bodyError(error, c)) ?? exposedError(error) ?? error;
    return responseOf(c, answerError(services, c.env.incoming, reason));
  };
}

/** `c.req.json()` throws a SyntaxError; so may other code: it is the client's mistake only if the body is not JSON. */
async function bodyError(error: Error, c: Context) {
  if (!(error instanceof SyntaxError) || c.req.bodyCache.text === undefined) return undefined;
  return c.req.json().then(
    () => undefined,
    () => refuse('INVALID_JSON'),
  );
}

/** The body, if a middleware in front has read it; Hono keeps the bytes. */
async function bytesReadBefore(c: Context<AuthEnv>): Promise<Buffer | undefined> {
  if (!c.env.incoming.readableDidRead) return undefined;
  return Buffer.from(await c.req.arrayBuffer());
}

type Content = Parameters<Context['newResponse']>[0];

/** Made by the context: with a plain Response, headers of middleware in front get lost, or replace its own cookies. */
function responseOf(c: Context<AuthEnv>, response: HttpResponse): Response {
  const { status, headers, cookies, body } = response;
  const content = body instanceof Readable ? Readable.toWeb(body) : (body ?? null);
  for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
  return c.newResponse(content as Content, status as StatusCode, headers);
}
