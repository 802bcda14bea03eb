import { z } from 'zod';
import type { Config } from '../config.js';
import { type ErrorCode, errorCodes } from '../error-codes.js';
import { loginChecks } from '../login-checks.js';
import { sessionCookie } from './cookies.js';
import type { Route } from './route.js';

type Json = Record<string, unknown>;

/** Failures that any route of a kind may answer with, beside its own. */
const ANY_ROUTE: ErrorCode[] = ['RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'];
const WITH_ANY_JSON: ErrorCode[] = ['INVALID_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
const WITH_BODY: ErrorCode[] = [...WITH_ANY_JSON, 'VALIDATION_FAILED'];
const SIGNED_IN: ErrorCode[] = ['INVALID_TOKEN', 'SESSION_REVOKED'];

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
    ...(route.body
      ? { requestBody: { content: json(z.toJSONSchema(route.body, { io: 'input' })) } }
      : {}),
    responses: responsesOf(route),
  };
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

function responsesOf(route: Route): Json {
  const status = String(route.status ?? 200);
  const schema = route.reply ? z.toJSONSchema(route.reply) : {};
  const responses: Json = { [status]: { description: 'Success', content: json(schema) } };
  for (const [failure, codes] of failuresOf(route)) {
    responses[String(failure)] = {
      description: codes.join(', '),
      content: json({ $ref: '#/components/schemas/Error' }),
    };
  }
  return responses;
}

/** What a route may refuse with: codes by status. */
export function failuresOf(route: Route): Map<number, ErrorCode[]> {
  const codes = [
    ...(route.errors ?? []),
    ...(route.signsIn ? signInCodes() : []),
    ...bodyCodes(route),
    ...(route.query ? (['VALIDATION_FAILED'] as const) : []),
    ...(route.access === 'public' ? [] : SIGNED_IN),
    ...(route.access === 'fresh' ? (['REAUTHENTICATION_REQUIRED'] as const) : []),
    ...(route.permission ? (['FORBIDDEN'] as const) : []),
    ...csrfCodes(route),
    ...ANY_ROUTE,
  ];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

function bodyCodes({ anyJson, method, neverRefuses }: Route): ErrorCode[] {
  if (method === 'GET' || neverRefuses) return [];
  return anyJson ? WITH_ANY_JSON : WITH_BODY;
}

function signInCodes(): ErrorCode[] {
  return ['ACCOUNT_DISABLED', ...loginChecks.flatMap(({ refuses }) => refuses)];
}

function csrfCodes(route: Route): ErrorCode[] {
  if (route.method === 'GET') return [];
  return route.access === 'public'
    ? ['ORIGIN_NOT_ALLOWED']
    : ['ORIGIN_NOT_ALLOWED', 'CSRF_INVALID'];
}

function errorSchema(): Json {
  return {
    type: 'object',
    required: ['error', 'code'],
    properties: {
      error: { type: 'string', description: 'One sentence for people' },
      code: { type: 'string', enum: Object.keys(errorCodes) },
      details: {
        type: 'array',
        items: {
          type: 'object',
          properties: { path: { type: 'string' }, message: { type: 'string' } },
        },
      },
    },
  };
}

/** `POST /sessions/cleanup` → `postSessionsCleanup`. */
function operationId(route: Route): string {
  const words = route.path.split(/[^a-zA-Z0-9]+/).filter(Boolean);
  const camel = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
  return `${route.method.toLowerCase()}${camel}`;
}

function json(schema: unknown): Json {
  return { 'application/json': { schema } };
}
