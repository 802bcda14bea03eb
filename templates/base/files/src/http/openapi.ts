import { z } from 'zod';
import type { ErrorCode } from '../feature.js';
import type { Services } from '../services.js';
import type { LoginCheck } from '../session/finish-login.js';
import type { Reauthentication } from '../session/reauthentication.js';
import { sessionCookie } from './cookies.js';
import { get, type Mount, type Route } from './route.js';

type Json = Record<string, unknown>;

/** The OpenAPI document of a mount; in production only with OPENAPI=on. */
export function openApiRoute({ prefix, routes }: Mount): Route {
  return get('/openapi.json', { summary: 'This document' }, async ({ services }) => ({
    body: openApiDocument(services, prefix, routes),
  }));
}

/** The OpenAPI 3.1 document of the route table below `prefix`. */
export function openApiDocument(services: Services, prefix: string, routes: Route[]): Json {
  const { config, errors } = services;
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const operation = { [route.method.toLowerCase()]: operationOf(services, route) };
    paths[route.path] = { ...paths[route.path], ...operation };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Authentication service', version: '1' },
    servers: [{ url: `${config.BASE_URL}${prefix}` }],
    paths,
    components: {
      securitySchemes: {
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie(config, 'accessToken', '', 0).name,
        },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
      schemas: { Error: errorSchema(Object.keys(errors)) },
    },
  };
}

function operationOf(services: Services, route: Route): Json {
  const parameters = parametersOf(route);
  return {
    operationId: operationId(route),
    summary: route.summary,
    security: route.access === 'public' ? [] : [{ cookie: [] }, { bearer: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(services, route),
    responses: responsesOf(services, route),
  };
}

/** `POST /sessions/cleanup` → `postSessionsCleanup`. */
function operationId(route: Route): string {
  const words = route.path.split(/[^a-zA-Z0-9]+/).filter(Boolean);
  const camel = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
  return `${route.method.toLowerCase()}${camel}`;
}

/** A `fresh` route takes a proof beside its own fields. */
function requestBodyOf(services: Services, { body, access }: Route): Json {
  if (!body && access !== 'fresh') return {};
  const schema: Json = body ? z.toJSONSchema(body, { io: 'input' }) : { type: 'object' };
  if (access !== 'fresh') return { requestBody: { content: json(schema) } };
  const proof = { type: 'string', description: 'Stands in for a recent sign-in' };
  const proofs = reauthenticationsOf(services).map(({ field }) => [field, proof]);
  const properties = Object.assign({}, schema.properties, Object.fromEntries(proofs));
  return { requestBody: { content: json({ ...schema, properties }) } };
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

const REDIRECT = {
  description: 'Leads a browser elsewhere',
  headers: { location: { schema: { type: 'string' } } },
};

/** Every response of a route, by status. */
function responsesOf(services: Services, route: Route): Json {
  const { status = 200, redirects } = route;
  const responses: Json = {
    ...(status === 302 ? {} : { [status]: successOf(services, route) }),
    ...(status === 302 || redirects ? { 302: REDIRECT } : {}),
  };
  for (const [failed, codes] of failuresOf(services, route)) {
    const content = json(failureSchema(services, route, failed));
    responses[String(failed)] = { description: codes.join(', '), content };
  }
  return responses;
}

/** A sign-in may ask for something else first. */
function successOf(services: Services, { reply, signsIn }: Route): Json {
  if (!reply) return { description: 'Success', content: json({}) };
  const asked = signsIn ? loginChecksOf(services).flatMap(({ asks }) => asks ?? []) : [];
  const schema = asked.length > 0 ? z.union([reply, ...asked]) : reply;
  return { description: 'Success', content: json(z.toJSONSchema(schema)) };
}

/** The common form, with the fields that failures of this route have besides. */
function failureSchema(services: Services, route: Route, status: number): Json {
  const { onFailure = {}, signsIn } = route;
  const always = Object.entries(onFailure).map(([name, value]) => [name, { const: value }]);
  const properties: Json = Object.fromEntries(always);
  for (const { refuses, tells } of signsIn ? loginChecksOf(services) : []) {
    const isRefusing = refuses.some((code) => services.errors[code]?.[0] === status);
    if (isRefusing && tells) Object.assign(properties, z.toJSONSchema(tells).properties);
  }
  const $ref = '#/components/schemas/Error';
  const required = Object.keys(onFailure);
  return {
    $ref,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** What a route may refuse with: codes by status. */
export function failuresOf(services: Services, route: Route): Map<number, ErrorCode[]> {
  const { access, neverRefuses, permission, signsIn } = route;
  const isUnsafe = route.method !== 'GET';
  const readsBody = isUnsafe && !neverRefuses;
  const readsFields = (readsBody && !route.anyJson) || route.query !== undefined;
  const isFresh = access === 'fresh';
  const isPublic = access === 'public';
  const refusedSignIns = loginChecksOf(services).flatMap(({ refuses }) => refuses);
  const wrongProofs = reauthenticationsOf(services).map(({ refuses }) => refuses);
  const codes: ErrorCode[] = [...(route.errors ?? [])];
  if (signsIn) codes.push('ACCOUNT_DISABLED', ...refusedSignIns);
  if (readsBody) codes.push('INVALID_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (readsFields) codes.push('VALIDATION_FAILED');
  if (!isPublic) codes.push('INVALID_TOKEN', 'SESSION_REVOKED');
  if (isFresh) codes.push('REAUTHENTICATION_REQUIRED', ...wrongProofs);
  if (permission) codes.push('FORBIDDEN');
  if (isUnsafe) codes.push('ORIGIN_NOT_ALLOWED');
  if (isUnsafe && !isPublic) codes.push('CSRF_INVALID');
  if (!neverRefuses) codes.push('RATE_LIMITED');
  codes.push('INTERNAL', 'UNAVAILABLE');
  const statusOf = (code: ErrorCode) => services.errors[code]?.[0] ?? 500;
  const statuses = [...new Set(codes.map(statusOf))].sort((a, b) => a - b);
  const distinct = [...new Set(codes)];
  return new Map(
    statuses.map((status) => [status, distinct.filter((code) => statusOf(code) === status)]),
  );
}

function loginChecksOf({ features }: Services): LoginCheck[] {
  return features.flatMap(({ loginCheck }) => loginCheck ?? []);
}

function reauthenticationsOf({ features }: Services): Reauthentication[] {
  return features.flatMap(({ reauthentication }) => reauthentication ?? []);
}

/** The form of every failure. */
function errorSchema(codes: string[]): Json {
  const detail = { path: { type: 'string' }, message: { type: 'string' } };
  return {
    type: 'object',
    required: ['error', 'code'],
    properties: {
      error: { type: 'string', description: 'One sentence for people' },
      code: { type: 'string', enum: codes },
      details: { type: 'array', items: { type: 'object', properties: detail } },
    },
  };
}

function json(schema: unknown): Json {
  return { 'application/json': { schema } };
}
