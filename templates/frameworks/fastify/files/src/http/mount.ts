import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { ErrorCode } from '../error-codes.js';
import type { Services } from '../services.js';
import { answerRefusal, dispatch } from './dispatch.js';
import { refuse } from './errors.js';
import { failureBehind } from './foreign-errors.js';
import { requestReader } from './node-request.js';
import type { Answer } from './respond.js';
import { routeFinder, servicePaths } from './route-finder.js';

export interface AuthPluginOptions {
  services: Services;
}

type Answerer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * The routes of the service as a plugin for any Fastify app, and `request.caller` for your own.
 * Paths count in full, wherever it is registered: AUTH_PREFIX and its like say where they begin.
 */
export const authPlugin = fastifyPlugin<AuthPluginOptions>(
  async (app, { services }) => {
    if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller', undefined);
    await app.register(serviceRoutes, { services });
  },
  { name: 'auth', fastify: '5.x' },
);

/** Encapsulated, so that the hook meets the routes of the service alone. */
const serviceRoutes: FastifyPluginAsync<AuthPluginOptions> = async (app, { services }) => {
  const answer = answerer(services);
  // Before Fastify reads the body: the service checks its type and size in its own order, and
  // signatures are over its bytes.
  app.addHook('onRequest', answer);
  const prefix = app.prefix.replace(/\/$/, '');
  for (const url of urlsBelow(prefix, services)) app.all(url, answer);
  prefixes.set(app.server, [...(prefixes.get(app.server) ?? []), prefix]);
};

/** By server, whatever part of its app: below what the service is mounted. What lies elsewhere is none of its paths. */
const prefixes = new WeakMap<FastifyInstance['server'], string[]>();

/** The paths of the service as Fastify declares them in a plugin that is registered below `prefix`. */
function urlsBelow(prefix: string, services: Services): string[] {
  const paths = servicePaths(services).map(([path]) => path);
  const below = paths.filter((path) => path.startsWith(`${prefix}/`));
  if (below.length === 0) throw new Error(`AUTH_PREFIX must begin with ${prefix}.`);
  return below.map((path) => path.slice(prefix.length).replaceAll(/\{(\w+)\}/g, ':$1'));
}

/** Answers a path that nobody took with 404 NOT_FOUND, as JSON; `/auth/me` with an exotic method with 405. */
export const refuseUnknownPaths = fastifyPlugin<AuthPluginOptions>(async (app, { services }) => {
  const answer = answerer(services, (path) =>
    (prefixes.get(app.server) ?? []).some((prefix) => path.startsWith(`${prefix}/`)),
  );
  app.setNotFoundHandler(answer);
  // Fastify reads a body before it says that there is nothing.
  app.addHook('onRequest', async (request, reply) =>
    request.is404 ? answer(request, reply) : undefined,
  );
});

/** Answers what Fastify or a route of yours threw, in the service's form and without a stack trace. */
export function refuseErrors(services: Services) {
  const read = requestReader(services.config);
  return (error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    send(reply, answerRefusal(failureOf(error, request), read(request.raw), services));
}

/** By the path as it was sent: Fastify finds a route for some that are spelled otherwise. */
function answerer(services: Services, isMounted = (_path: string) => true): Answerer {
  const find = routeFinder(services);
  const read = requestReader(services.config);
  return async ({ originalUrl, raw }, reply) => {
    const found = isMounted(originalUrl) ? find(originalUrl) : undefined;
    if (found)
      return send(reply, await dispatch(found.resource, read(raw, found.params), services));
    return send(reply, answerRefusal(refuse('NOT_FOUND'), read(raw), services));
  };
}

/** The refusals that Fastify throws, by its own codes. */
const REFUSALS = new Map<unknown, ErrorCode>([
  ['FST_ERR_BAD_URL', 'NOT_FOUND'],
  ['FST_ERR_MAX_PARAM_LENGTH', 'NOT_FOUND'],
  ['FST_ERR_NOT_FOUND', 'NOT_FOUND'],
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'BODY_TOO_LARGE'],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', 'INVALID_JSON'],
  ['FST_ERR_CTP_INVALID_JSON_BODY', 'INVALID_JSON'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'INVALID_JSON'],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'UNSUPPORTED_MEDIA_TYPE'],
]);

function failureOf(error: Error & Partial<FastifyError>, request: FastifyRequest): unknown {
  const code = REFUSALS.get(error.code);
  if (code) return refuse(code);
  if (error.validation)
    return refuse('VALIDATION_FAILED', { details: detailsOf(error.validation) });
  return failureBehind(error, request.raw);
}

/** What a schema of a route of yours has against a request, as the service's own schemas say it. */
function detailsOf(validation: NonNullable<FastifyError['validation']>) {
  return validation.map(({ instancePath, message = '' }) => ({
    path: instancePath.slice(1).replaceAll('/', '.'),
    message,
  }));
}

function send(reply: FastifyReply, { status, headers, cookies, body }: Answer): FastifyReply {
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  return reply.code(status).headers(headers).send(body);
}
