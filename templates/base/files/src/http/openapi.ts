import type { Services } from '../services.js';
import { sessionCookie } from './cookies.js';
import { docsRoute } from './docs-page.js';
import {
  errorSchema,
  type Json,
  json,
  reauthenticationsOf,
  responsesOf,
  schemaOf,
} from './openapi-responses.js';
import { Issued } from './replies.js';
import { get, type Mount, type Route } from './route.js';

/** With OPENAPI=on each prefix describes itself at `/openapi.json`, and `/docs` shows all of them. */
export function documented(services: Services, mounts: Mount[]): Mount[] {
  if (!services.config.OPENAPI) return mounts;
  const described = mounts.filter(({ prefix }) => prefix !== '');
  const docs = docsRoute(() => described.map((mount) => openApiDocument(services, mount)));
  return mounts.map((mount) => {
    const more = mount.prefix === '' ? docs : openApiRoute(services, mount);
    return { ...mount, routes: [...mount.routes, more] };
  });
}

function openApiRoute(services: Services, mount: Mount): Route {
  return get('/openapi.json', { summary: 'The OpenAPI document of these routes' }, async () => ({
    body: openApiDocument(services, mount),
  }));
}

/** The OpenAPI 3.1 document of a mount. */
function openApiDocument(services: Services, { prefix, routes }: Mount) {
  const { config, errors } = services;
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {};
  for (const route of routes) {
    const operation = { [route.method.toLowerCase()]: operationOf(services, route) };
    paths[route.path] = { ...paths[route.path], ...operation };
  }
  const cookie = sessionCookie(config, 'accessToken', '', 0).name;
  const securitySchemes = {
    cookie: { type: 'apiKey', in: 'cookie', name: cookie },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  };
  const isPublic = routes.every(({ access }) => access === 'public');
  return {
    openapi: '3.1.0',
    info: { title: config.SERVICE_NAME, version: '1' },
    servers: [{ url: `${config.BASE_URL}${prefix}` }],
    paths,
    components: {
      ...(isPublic ? {} : { securitySchemes }),
      schemas: { Error: errorSchema(Object.keys(errors)) },
    },
  };
}

function operationOf(services: Services, route: Route) {
  const parameters = [...fieldsOf(route), ...headersOf(services, route)];
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(route.tag ? { tags: [route.tag] } : {}),
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

const FORM = 'application/x-www-form-urlencoded';

/** An empty body counts as `{}`: it may be left out where that is a good one. A `fresh` route takes a proof as well. */
function requestBodyOf(services: Services, route: Route): Json {
  const { body, access, anyJson, form } = route;
  if (anyJson) return { requestBody: { content: json({}) } };
  if (!body && access !== 'fresh') return {};
  const schema: Json = body ? schemaOf(body, 'input') : { type: 'object' };
  const required = body ? !body.safeParse({}).success : false;
  if (form) return { requestBody: { required, content: { [FORM]: { schema } } } };
  if (access !== 'fresh') return { requestBody: { required, content: json(schema) } };
  const proof = { type: 'string', description: 'Stands in for a recent sign-in' };
  const proofs = reauthenticationsOf(services).map(({ field }) => [field, proof]);
  const properties = Object.assign({}, schema.properties, Object.fromEntries(proofs));
  return { requestBody: { required, content: json({ ...schema, properties }) } };
}

function fieldsOf({ path, query, queryFields = [] }: Route): Json[] {
  const text = { type: 'string' };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: text,
  }));
  const { properties = {}, required = [] } = query ? schemaOf(query, 'input') : {};
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  return [
    ...inPath,
    ...inQuery,
    ...queryFields.map((name) => ({ name, in: 'query', schema: text })),
  ];
}

function headersOf({ config }: Services, { method, access, reply }: Route): Json[] {
  const csrf = sessionCookie(config, 'csrf-token', '', 0).name;
  const strategy = {
    name: 'X-Auth-Strategy',
    in: 'header',
    description: 'bearer: tokens come in the body, and no cookie is set',
    schema: { type: 'string', enum: ['bearer'] },
  };
  const csrfToken = {
    name: 'X-CSRF-Token',
    in: 'header',
    description: `The value of the cookie ${csrf}; needed with the cookie of a session`,
    schema: { type: 'string' },
  };
  const needsCsrfToken = config.CSRF && method !== 'GET' && access !== 'public';
  return [...(reply === Issued ? [strategy] : []), ...(needsCsrfToken ? [csrfToken] : [])];
}
