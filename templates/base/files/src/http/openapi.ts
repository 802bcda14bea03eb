import * as z from 'zod';
import type { ErrorCode } from '../feature.js';
import type { Services } from '../services.js';
import { type SessionCookie, sessionCookie } from './cookies.js';
import {
  get,
  Issued,
  type Mount,
  type Route,
  reauthenticationsOf,
  requiresReauthentication,
} from './route.js';

type Json = Record<string, unknown>;

/** With OPENAPI=on each prefix that has more than pages serves its document at `/openapi.json`. */
export function documented(services: Services, mounts: Mount[]): Mount[] {
  if (!services.config.OPENAPI) return mounts;
  return mounts.map((mount) => {
    if (mount.prefix === '' || mount.routes.every(({ isPage }) => isPage)) return mount;
    let body: object | undefined;
    const document = get('/openapi.json', {
      summary: 'The OpenAPI document',
      handle: async () => {
        // Made once: it takes as long as hundreds of other requests, and anybody may ask for it.
        body ??= openApiDocument(services, mount);
        return { body };
      },
    });
    return { ...mount, routes: [...mount.routes, document] };
  });
}

/** The OpenAPI 3.1 document of a mount. */
export function openApiDocument(services: Services, { prefix, routes }: Mount) {
  const { config } = services;
  const nameOf = (kind: SessionCookie) => sessionCookie(config, kind, '', 0).name;
  const schemes: Json = {
    cookie: { type: 'apiKey', in: 'cookie', name: nameOf('accessToken') },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    refreshCookie: { type: 'apiKey', in: 'cookie', name: nameOf('refreshToken') },
  };
  const securitySchemes: Json = {};
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {};
  for (const route of routes.filter(({ isPage }) => !isPage)) {
    const operation = operationOf(services, route);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
    for (const key of operation.security.flatMap(Object.keys)) securitySchemes[key] = schemes[key];
  }
  return {
    openapi: '3.1.0',
    info: { title: config.SERVICE_NAME, version: '1' },
    servers: [{ url: `${config.BASE_URL}${prefix}` }],
    paths,
    components: { securitySchemes, schemas: { Error: errorSchema(services) } },
  };
}

const PROOF = 'a recent sign-in (REAUTH_WINDOW), or a reauthentication proof in the body';

/** The requirements of a route on the caller's sign-in. */
const DEMANDS = {
  fresh: `Requires ${PROOF}.`,
  strong: `Strong: requires ${PROOF}, with the strong factor of the account if it has one.`,
};

/** One of these schemes, or for a public route none of them: `{}`. */
const SESSION: Json[] = [{ cookie: [] }, { bearer: [] }];
const OPTIONAL = { accessToken: [...SESSION, {}], refreshToken: [{ refreshCookie: [] }, {}] };

function operationOf(services: Services, route: Route) {
  const { access, mayRequire, permission, readsCredential, summary, tag } = route;
  const parameters = parametersOf(services, route);
  const optional = readsCredential ? OPTIONAL[readsCredential] : [];
  const demands = requiresReauthentication(access) ? [DEMANDS[access]] : [];
  if (mayRequire) demands.push(`May require ${PROOF}.`);
  if (permission) demands.push(`Requires the permission ${permission}.`);
  return {
    operationId: operationId(route),
    summary,
    ...(demands.length > 0 ? { description: demands.join(' ') } : {}),
    ...(tag ? { tags: [tag] } : {}),
    security: access === 'public' ? optional : SESSION,
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

function parametersOf(services: Services, route: Route): Json[] {
  const { path, query, queryFields = [], reply } = route;
  const text = { type: 'string' };
  const { properties = {}, required = [] } = query ? schemaOf(query, 'input') : {};
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const parameters: Json[] = [
    ...names.map((name) => ({ name, in: 'path', required: true, schema: text })),
    ...Object.entries(properties).map(([name, schema]) => {
      return { name, in: 'query', required: required.includes(name), schema };
    }),
    ...queryFields.map((name) => ({ name, in: 'query', schema: text })),
  ];
  if (reply === Issued) {
    const description = 'bearer: tokens come in the body, and no cookie is set';
    const schema = { ...text, enum: ['bearer'] };
    parameters.push({ name: 'X-Auth-Strategy', in: 'header', description, schema });
  }
  if (failuresOf(services, route).get(403)?.includes('CSRF_INVALID')) {
    const cookie = sessionCookie(services.config, 'csrf-token', '', 0).name;
    const description = `The value of the cookie ${cookie}; required with a session cookie`;
    parameters.push({ name: 'X-CSRF-Token', in: 'header', description, schema: text });
  }
  return parameters;
}

/** An empty body counts as `{}`, so the body is optional where `{}` is valid. A reauthentication proof may be in it. */
function requestBodyOf(services: Services, route: Route): Json {
  const { body = z.object({}), access, anyJson, form, mayRequire = access, permission } = route;
  if (anyJson) return { requestBody: { content: json({}) } };
  const proofs = requiresReauthentication(mayRequire) ? reauthenticationsOf(services) : [];
  if (!route.body && proofs.length === 0) return {};
  const schema = schemaOf(body, 'input');
  const proof = { type: 'string', description: 'Stands in for a recent sign-in' };
  const language = { type: 'string', description: 'Language (BCP 47) of the mails and texts' };
  const common = permission ? [] : [['emailLang', language]];
  const added = Object.fromEntries([...common, ...proofs.map(({ field }) => [field, proof])]);
  // In each branch: one that allows no additional properties would refuse those beside `anyOf`.
  for (const each of schema.anyOf ?? [schema]) each.properties = { ...added, ...each.properties };
  const content = form ? { 'application/x-www-form-urlencoded': { schema } } : json(schema);
  return { requestBody: { required: !body.safeParse({}).success, content } };
}

/** All responses of a route, by status. A sign-in may ask for a further step first. */
function responsesOf(services: Services, route: Route): Json {
  const { status = 200, redirects, reply, signsIn } = route;
  const asked = signsIn ? loginChecksOf(services).flatMap(({ challenge }) => challenge ?? []) : [];
  const body = reply && asked.length > 0 ? z.union([reply, ...asked]) : reply;
  const content = json(body ? schemaOf(body, 'output') : {});
  const headers = { location: { schema: { type: 'string' } } };
  const responses: Json = {};
  if (status !== 302) responses[status] = { description: 'Success', content };
  if (status === 302 || redirects) responses[302] = { description: 'Redirects a browser', headers };
  for (const [failed, codes] of failuresOf(services, route)) {
    const error = json({ $ref: '#/components/schemas/Error' });
    const headers = failed === 429 ? { 'Retry-After': { schema: { type: 'integer' } } } : undefined;
    responses[failed] = { description: codes.join(', '), headers, content: error };
  }
  return responses;
}

/** The error codes that a route may answer with, by status. */
export function failuresOf(services: Services, route: Route): Map<number, ErrorCode[]> {
  const { mayRequire: access = route.access, neverRefuses = false, signsIn } = route;
  const isUnsafe = route.method !== 'GET';
  const readsBody = isUnsafe && !neverRefuses;
  const proofs = services.features.flatMap((each) => [each.reauthentication, each.emptyProof]);
  const signInRefuses = loginChecksOf(services).flatMap(({ refuses }) => refuses);
  const refusals: [applies: boolean, codes: ErrorCode[]][] = [
    [true, [...(route.errors ?? []), ...(route.callerCheck?.refuses ?? [])]],
    [signsIn !== undefined, ['ACCOUNT_DISABLED', ...signInRefuses]],
    [readsBody && !route.form, ['INVALID_JSON']],
    [readsBody, ['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']],
    [(readsBody && !route.anyJson) || route.query !== undefined, ['VALIDATION_FAILED']],
    [access !== 'public', ['INVALID_TOKEN', 'SESSION_REVOKED']],
    [requiresReauthentication(access), ['REAUTHENTICATION_REQUIRED']],
    [requiresReauthentication(access), proofs.flatMap((proof) => proof?.refuses ?? [])],
    [route.permission !== undefined, ['FORBIDDEN']],
    [isUnsafe && !route.anyOrigin, ['ORIGIN_NOT_ALLOWED']],
    [services.config.CSRF && isUnsafe && access !== 'public', ['CSRF_INVALID']],
    [!neverRefuses, ['RATE_LIMITED']],
    [true, ['INTERNAL', 'UNAVAILABLE']],
  ];
  const failures = new Map<number, ErrorCode[]>();
  for (const code of new Set(refusals.flatMap(([applies, codes]) => (applies ? codes : [])))) {
    const [status = 500] = services.errors[code] ?? [];
    failures.set(status, [...(failures.get(status) ?? []), code]);
  }
  return failures;
}

function loginChecksOf({ features }: Services) {
  return features.flatMap(({ loginCheck }) => loginCheck ?? []);
}

/** A schema of the document. A recursive type, as for JSON, becomes any value: client generators refuse recursion. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const own = z.toJSONSchema(schema, {
    io,
    // `oneOf` would refuse a value that fits two members of a union.
    override({ jsonSchema }) {
      if (jsonSchema.oneOf) jsonSchema.anyOf = jsonSchema.oneOf;
      delete jsonSchema.oneOf;
    },
  });
  return JSON.parse(JSON.stringify(own), (key, part) => {
    if (key === '$schema' || key === '$defs') return undefined;
    return typeof part?.$ref === 'string' ? {} : part;
  }) as typeof own;
}

/** The schema of every failure, with the additional fields of refused sign-ins. */
function errorSchema(services: Services): Json {
  const detail = schemaOf(z.object({ path: z.string(), message: z.string() }), 'output');
  const told = loginChecksOf(services).flatMap(({ refusalFields }) => refusalFields ?? []);
  return {
    type: 'object',
    required: ['error', 'code'],
    properties: {
      error: { type: 'string', description: 'A sentence for people' },
      code: { type: 'string', enum: Object.keys(services.errors) },
      details: { type: 'array', items: detail },
      success: { type: 'boolean', const: false, description: 'Only for POST /refresh' },
      ...Object.assign({}, ...told.map((fields) => schemaOf(fields, 'output').properties)),
    },
  };
}

function json(schema: unknown): Json {
  return { 'application/json': { schema } };
}
