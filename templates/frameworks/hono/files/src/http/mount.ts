import type { HttpBindings } from '@hono/node-server';
import { type Context, type ErrorHandler, Hono, type NotFoundHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Services } from '../services.js';
import type { Caller } from '../session/caller.js';
import { answerRefusal, dispatch } from './dispatch.js';
import { refuse } from './errors.js';
import { failureBehind } from './foreign-errors.js';
import { requestReader } from './node-request.js';
import type { Answer } from './respond.js';
import { routeFinder } from './route-finder.js';

/** Node's request is read directly: a web standard one would be copied together for every request. */
export interface AuthEnv {
  Bindings: HttpBindings;
  Variables: {
    /** The signed-in user, behind `requireUser`. */
    caller: Caller;
  };
}

/**
 * The routes of the service as an app to mount in any Hono app on Node; every other path goes on.
 * Paths count in full, wherever it is mounted: AUTH_PREFIX and its like say where they begin.
 */
export function authApp(services: Services): Hono<AuthEnv> {
  const find = routeFinder(services);
  const read = requestReader(services.config);
  return new Hono<AuthEnv>().all('*', async (c, next) => {
    const { incoming } = c.env;
    const found = find(incoming.url);
    if (!found) return next();
    const raw = read(incoming, found.params, () => bytesReadBefore(c));
    return responseOf(await dispatch(found.resource, raw, services));
  });
}

/** Answers a path that nobody took with 404 NOT_FOUND, as JSON. */
export function refuseUnknownPaths(services: Services): NotFoundHandler<AuthEnv> {
  const read = requestReader(services.config);
  return (c) => responseOf(answerRefusal(refuse('NOT_FOUND'), read(c.env.incoming), services));
}

/** Answers what a route of yours threw, in the service's form and without a stack trace. */
export function refuseErrors(services: Services): ErrorHandler<AuthEnv> {
  const read = requestReader(services.config);
  return async (error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    return responseOf(answerRefusal(await failureOf(error, c), read(c.env.incoming), services));
  };
}

/** `c.req.json()` throws what any other text that is not JSON would throw. */
async function failureOf(error: Error, c: Context<AuthEnv>): Promise<unknown> {
  const isOfBody = error instanceof SyntaxError && c.req.bodyCache.text !== undefined;
  if (isOfBody && !(await isJson(c))) return refuse('INVALID_JSON');
  return failureBehind(error, c.env.incoming);
}

function isJson(c: Context<AuthEnv>): Promise<boolean> {
  return c.req.json().then(
    () => true,
    () => false,
  );
}

/** What a middleware in front has read of the body; Hono keeps the bytes. */
async function bytesReadBefore(c: Context<AuthEnv>): Promise<Buffer | undefined> {
  if (!c.env.incoming.readableDidRead) return undefined;
  return Buffer.from(await c.req.arrayBuffer());
}

function responseOf({ status, headers, cookies, body: text }: Answer): Response {
  const body = text ?? null;
  if (cookies.length === 0) return new Response(body, { status, headers });
  const list = cookies.map((cookie): [string, string] => ['set-cookie', cookie]);
  return new Response(body, { status, headers: [...Object.entries(headers), ...list] });
}
