import { z } from 'zod';
import type { ErrorCode } from '../feature.js';
import type { Services } from '../services.js';
import type { LoginCheck } from '../session/finish-login.js';
import type { Reauthentication } from '../session/reauthentication.js';
import type { Route } from './route.js';

export type Json = Record<string, unknown>;

const REDIRECT = {
  description: 'Leads a browser elsewhere',
  headers: { location: { schema: { type: 'string' } } },
};

/** Every response of a route, by status. */
export function responsesOf(services: Services, route: Route): Json {
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
  return { description: 'Success', content: json(schemaOf(schema, 'output')) };
}

/** The common form, with the fields that failures of this route have besides. */
function failureSchema(services: Services, route: Route, status: number): Json {
  const { onFailure = {}, signsIn } = route;
  const always = Object.entries(onFailure).map(([name, value]) => [name, { const: value }]);
  const properties: Json = Object.fromEntries(always);
  for (const { refuses, tells } of signsIn ? loginChecksOf(services) : []) {
    const isRefusing = refuses.some((code) => services.errors[code]?.[0] === status);
    if (isRefusing && tells) {
      Object.assign(properties, schemaOf(tells, 'output').properties);
    }
  }
  const common = { $ref: '#/components/schemas/Error' };
  if (Object.keys(properties).length === 0) return common;
  const required = Object.keys(onFailure);
  const own = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
  return { allOf: [common, own] };
}

/** What a route may refuse with: codes by status. */
export function failuresOf(services: Services, route: Route): Map<number, ErrorCode[]> {
  const { access, neverRefuses, permission, signsIn } = route;
  const isUnsafe = route.method !== 'GET';
  const readsBody = isUnsafe && !neverRefuses;
  const readsFields = (readsBody && !route.anyJson) || route.query !== undefined;
  const isPublic = access === 'public';
  const refusedSignIns = loginChecksOf(services).flatMap(({ refuses }) => refuses);
  const codes: ErrorCode[] = [...(route.errors ?? [])];
  if (signsIn) codes.push('ACCOUNT_DISABLED', ...refusedSignIns);
  if (readsBody) codes.push('INVALID_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (readsFields) codes.push('VALIDATION_FAILED');
  if (!isPublic) codes.push('INVALID_TOKEN', 'SESSION_REVOKED');
  if (access === 'fresh') codes.push(...freshnessCodes(services));
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

/** What a route may refuse with that needs a recent sign-in, or a proof. */
export function freshnessCodes(services: Services): ErrorCode[] {
  const codes = services.features.flatMap(({ reauthentication, emptyProof }) =>
    [reauthentication?.refuses, emptyProof?.refuses].filter((code) => code !== undefined),
  );
  return ['REAUTHENTICATION_REQUIRED', ...codes];
}

function loginChecksOf({ features }: Services): LoginCheck[] {
  return features.flatMap(({ loginCheck }) => loginCheck ?? []);
}

export function reauthenticationsOf({ features }: Services): Reauthentication[] {
  return features.flatMap(({ reauthentication }) => reauthentication ?? []);
}

/** A schema of the document. What contains itself, as JSON does, is any value: client generators refuse a type that does. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const {
    $schema: _,
    $defs: _ofReferences,
    ...own
  } = z.toJSONSchema(schema, {
    io,
    override: allowOverlap,
  });
  const text = JSON.stringify(own);
  return JSON.parse(text, (_key, part) =>
    typeof part?.$ref === 'string' ? {} : part,
  ) as typeof own;
}

/** `oneOf` would refuse what fits two members of a union. */
function allowOverlap({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (!jsonSchema.oneOf) return;
  jsonSchema.anyOf = jsonSchema.oneOf;
  delete jsonSchema.oneOf;
}

/** The form of every failure. */
export function errorSchema(codes: string[]): Json {
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

export function json(schema: unknown): Json {
  return { 'application/json': { schema } };
}
