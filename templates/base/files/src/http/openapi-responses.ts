import { z } from 'zod';
import { type ErrorCode, errorCodes } from '../error-codes.js';
import { loginChecks } from '../login-checks.js';
import { freshnessCodes } from '../session/freshness.js';
import type { Route } from './route.js';

export type Json = Record<string, unknown>;

const WITH_ANY_JSON: ErrorCode[] = ['INVALID_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
const WITH_BODY: ErrorCode[] = [...WITH_ANY_JSON, 'VALIDATION_FAILED'];
const SIGNED_IN: ErrorCode[] = ['INVALID_TOKEN', 'SESSION_REVOKED'];

const REDIRECT = {
  description: 'Leads a browser elsewhere',
  headers: { location: { schema: { type: 'string' } } },
};

/** Every answer of a route, by status. */
export function responsesOf(route: Route): Json {
  const responses = successesOf(route);
  for (const [status, codes] of failuresOf(route)) {
    const content = json(failureSchema(route, status));
    responses[String(status)] = { description: codes.join(', '), content };
  }
  return responses;
}

function successesOf(route: Route): Json {
  const { status = 200, redirects } = route;
  const success = { description: 'Success', content: json(successSchema(route)) };
  if (status === 302) return { 302: REDIRECT };
  return { [status]: success, ...(redirects ? { 302: REDIRECT } : {}) };
}

/** A sign-in may ask for something else first. */
function successSchema({ reply, signsIn }: Route): unknown {
  if (!reply) return {};
  const asked = signsIn ? loginChecks.flatMap(({ asks }) => asks ?? []) : [];
  return z.toJSONSchema(asked.length > 0 ? z.union([reply, ...asked]) : reply);
}

/** The common form, with the fields that failures of this route have besides. */
function failureSchema({ onFailure = {}, signsIn }: Route, status: number): Json {
  const always = Object.entries(onFailure).map(([name, value]) => [name, { const: value }]);
  const checks = signsIn ? loginChecks.filter(({ refuses }) => refuses.some(hasStatus)) : [];
  const properties = Object.assign(
    Object.fromEntries(always),
    ...checks.map(({ tells }) => tells && z.toJSONSchema(tells).properties),
  );
  const required = Object.keys(onFailure);
  return {
    $ref: '#/components/schemas/Error',
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };

  function hasStatus(code: ErrorCode): boolean {
    return errorCodes[code].status === status;
  }
}

/** What a route may refuse with: codes by status. */
export function failuresOf(route: Route): Map<number, ErrorCode[]> {
  const codes = [
    ...(route.errors ?? []),
    ...(route.signsIn ? signInCodes() : []),
    ...bodyCodes(route),
    ...(route.query ? (['VALIDATION_FAILED'] as const) : []),
    ...(route.access === 'public' ? [] : SIGNED_IN),
    ...(route.access === 'fresh' ? freshnessCodes : []),
    ...(route.permission ? (['FORBIDDEN'] as const) : []),
    ...csrfCodes(route),
    ...(route.neverRefuses ? [] : (['RATE_LIMITED'] as const)),
    ...(['INTERNAL', 'UNAVAILABLE'] as const),
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

/** The form of every failure. */
export function errorSchema(): Json {
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

/** A JSON body of that schema. */
export function json(schema: unknown): Json {
  return { 'application/json': { schema } };
}
