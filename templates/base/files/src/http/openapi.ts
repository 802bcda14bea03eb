import { z } from 'zod';
import type { Config } from '../config.js';
import { proofs } from '../proofs.js';
import { sessionCookie } from './cookies.js';
import { errorSchema, type Json, json, responsesOf } from './openapi-responses.js';
import type { Route } from './route.js';

/** The OpenAPI 3.1 document of the route table below `prefix`: the only place where a route is written down. */
export function openApiDocument(routes: Route[], prefix: string, config: Config): Json {
  const mounted = routes.filter((route) => route.isMounted?.(config) ?? true);
  return {
    openapi: '3.1.0',
    info: { title: 'Authentication service', version: '1' },
    servers: [{ url: `${config.BASE_URL}${prefix}` }],
    paths: pathsOf(mounted),
    components: {
      securitySchemes: {
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie(config, 'accessToken', '', 0).name,
        },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
      schemas: { Error: errorSchema() },
    },
  };
}

function pathsOf(routes: Route[]): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return paths;
}

function operationOf(route: Route): Json {
  const parameters = parametersOf(route);
  return {
    operationId: operationId(route),
    summary: route.summary,
    security: route.access === 'public' ? [] : [{ cookie: [] }, { bearer: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(route),
    responses: responsesOf(route),
  };
}

/** A `fresh` route takes a proof beside its own fields. */
function requestBodyOf({ body, access }: Route): Json {
  const own = body ? z.toJSONSchema(body, { io: 'input' }) : undefined;
  if (access !== 'fresh') return own ? { requestBody: { content: json(own) } } : {};
  const description = 'Stands in for a recent sign-in';
  const proving = proofs.map(({ field }) => [field, { type: 'string', description }]);
  const properties = { ...own?.properties, ...Object.fromEntries(proving) };
  return { requestBody: { content: json({ type: 'object', ...own, properties }) } };
}

function parametersOf(route: Route): Json[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const { properties = {}, required = [] } = route.query
    ? z.toJSONSchema(route.query, { io: 'input' })
    : {};
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  return [...inPath, ...inQuery];
}

/** `POST /sessions/cleanup` → `postSessionsCleanup`. */
function operationId(route: Route): string {
  const words = route.path.split(/[^a-zA-Z0-9]+/).filter(Boolean);
  const camel = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
  return `${route.method.toLowerCase()}${camel}`;
}
