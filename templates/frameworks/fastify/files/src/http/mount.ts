import type { IncomingMessage } from 'node:http';
import type {
  FastifyError,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { Services } from '../services.js';
import type { Caller } from '../session/authenticate.js';
import { admitCaller, answer, answerError, answerOtherMethod } from './answer.js';
import { ownCors } from './cross-site.js';
import { exposedError, type HttpError, refuse } from './errors.js';
import type { HttpResponse } from './response.js';
import { resourceAt } from './route.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user, behind `requireUser`. */
    caller: Caller | undefined;
  }
}

interface Options {
  services: Services;
}

/**
 * The service's routes for any Fastify app, registered at its root: paths count in full, from AUTH_PREFIX on.
 * Sets the CORS headers of ALLOWED_ORIGINS on your own routes, and `request.caller`.
 */
export const authPlugin = fastifyPlugin<Options>(
  async (app, { services }) => {
    app.decorateRequest('caller', undefined);
    await app.register(serviceRoutes, { services });
    const paths = new Set<string | undefined>(services.resources.map(({ path }) => path));
    app.addHook('onRequest', ({ raw, routeOptions, is404 }, reply, done) => {
      const other = is404 && answerIfServicePath(services, raw);
      if (other) return void send(reply, other);
      if (paths.has(routeOptions.url)) return done();
      const { headers, isPreflight } = ownCors(services.config, raw);
      const vary = [reply.getHeader('vary') ?? [], headers.vary].flat().join(', ');
      reply.headers({ ...headers, vary });
      if (isPreflight) reply.code(204).send();
      else done();
    });
  },
  { name: 'auth', fastify: '5.x' },
);

/** Encapsulated: its body parser and its error handler apply to the service's routes alone. */
const serviceRoutes: FastifyPluginAsync<Options> = async (app, { services }) => {
  const raw = ({ raw: request, params }: FastifyRequest) => {
    return services.readRequest(request, params as Record<string, string>);
  };
  // The body stays unread until `answer` asks for it: it checks type and size, and signatures cover the raw bytes.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const refuse = refuseErrors(services);
  app.setErrorHandler<ClientError>((error, request, reply) =>
    // The type of the body is checked later, and for some routes not at all.
    error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
      ? request.routeOptions.handler.call(app, request, reply)
      : refuse(error, request, reply),
  );
  // Fastify decodes a path before it matches, which a proxy with rules for paths may not do. A parameter
  // also matches an empty segment, or one that is a literal path for another method.
  const refuseOtherPath: onRequestHookHandler = ({ raw, routeOptions: { url } }, reply, done) => {
    const path = raw.url === url ? url : resourceAt(services.resources, raw.url)?.path;
    if (path === url || path === `${url}/`) return done();
    const other = answerIfServicePath(services, raw);
    if (other) send(reply, other);
    else reply.callNotFound();
  };
  const { ignoreTrailingSlash, routerOptions } = app.initialConfig;
  const takesSlash = ignoreTrailingSlash || routerOptions?.ignoreTrailingSlash;
  for (const { path, routes } of services.resources) {
    // Fastify would refuse it as a duplicate. With and without the slash, the service's routes are the same.
    if (takesSlash && path.endsWith('/')) continue;
    for (const route of routes) {
      app.route({
        method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
        url: path,
        exposeHeadRoute: false,
        onRequest: refuseOtherPath,
        handler: async (request, reply) => send(reply, await answer(route, raw(request), services)),
      });
    }
  }
};

/**
 * A `preHandler` for your own routes: lets signed-in users pass, with `request.caller` set, and checks
 * the CSRF token of unsafe cookie requests. With `permission`, their roles must allow it too.
 */
export function requireUser(services: Services, permission?: string) {
  return async (request: Pick<FastifyRequest, 'raw' | 'caller'>): Promise<void> => {
    request.caller = await admitCaller(services, request.raw, permission);
  };
}

/** The response to another method of one of the service's paths; undefined for a path of your own. */
function answerIfServicePath(services: Services, raw: IncomingMessage): HttpResponse | undefined {
  const resource = resourceAt(services.resources, raw.url);
  return resource && answerOtherMethod(services, raw, resource);
}

/** Answers a path that no route took with 404 NOT_FOUND, as JSON. */
export const refuseUnknownPaths = fastifyPlugin<Options>(async (app, { services }) => {
  const answerUnknown = ({ raw }: FastifyRequest, reply: FastifyReply) => {
    const other = answerIfServicePath(services, raw);
    send(reply, other ?? answerError(services, raw, refuse('NOT_FOUND')));
  };
  app.setNotFoundHandler(answerUnknown);
  // Fastify would read the body, and refuse a bad one, before it answers that the path is unknown.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answerUnknown(request, reply);
    else done();
  });
});

/** Answers an error thrown by Fastify or a route of yours, in the service's form and without a stack trace. */
export function refuseErrors(services: Services) {
  return (error: ClientError, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    send(reply, answerError(services, request.raw, clientError(error) ?? error));
}

const PATH_ERRORS = ['FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH', 'FST_ERR_NOT_FOUND'];

type ClientError = Error & Partial<FastifyError>;

function clientError(error: ClientError): HttpError | undefined {
  const { code = '', statusCode, validation } = error;
  if (PATH_ERRORS.includes(code)) return refuse('NOT_FOUND');
  if (code.startsWith('FST_ERR_CTP_')) {
    if (statusCode === 413) return refuse('BODY_TOO_LARGE');
    return refuse(statusCode === 415 ? 'UNSUPPORTED_MEDIA_TYPE' : 'INVALID_JSON');
  }
  if (!validation) return exposedError(error);
  // The errors of a schema of your own route, in the form of the service's own validation errors.
  const details = validation.map(({ instancePath, message = '' }) => ({
    path: instancePath.slice(1).replaceAll('/', '.'),
    message,
  }));
  return refuse('VALIDATION_FAILED', { details });
}

function send(reply: FastifyReply, { status, headers, cookies, body }: HttpResponse): FastifyReply {
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  return reply.code(status).headers(headers).send(body);
}
