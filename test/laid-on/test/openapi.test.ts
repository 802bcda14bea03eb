import { expect, test } from 'vitest';
import { mountsOf, type Route } from '../src/http/route.js';
import type { Services } from '../src/services.js';
import { browser } from './client.js';
import { startTestService, type TestEnvironment } from './service.js';
import { signInAs } from './sign-in-as.js';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
/** The types of JSON Schema 2020-12, which OpenAPI 3.1 takes over as it is. */
const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at every depth.
type Json = any;

/** The mounted routes below AUTH_PREFIX. */
function routesOf(services: Services): Route[] {
  const mount = mountsOf(services).find(({ prefix }) => prefix === services.config.AUTH_PREFIX);
  return mount?.routes ?? [];
}

async function documentOf(environment: TestEnvironment = {}): Promise<Json> {
  const { status, body } = await browser(await startTestService(environment)).get('/openapi.json');
  expect(status).toBe(200);
  return body;
}

/** Each operation with its path and method. */
function operationsOf(document: Json): { path: string; method: string; operation: Json }[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Everything below a node, the node included. */
function* nodesOf(node: Json): Generator<Json> {
  if (typeof node !== 'object' || node === null) return;
  yield node;
  for (const child of Object.values(node)) yield* nodesOf(child);
}

test('the document says what every OpenAPI 3.1 document must', async () => {
  const document = await documentOf();
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info).toEqual({ title: expect.any(String), version: expect.any(String) });
  expect(document.servers).toEqual([{ url: 'http://auth.test/auth' }]);
  for (const { path, method, operation } of operationsOf(document)) {
    expect(path).toMatch(/^\//);
    expect(METHODS).toContain(method);
    expect(operation.summary).toEqual(expect.any(String));
    expect(Object.keys(operation.responses).length).toBeGreaterThan(0);
    for (const [status, response] of Object.entries<Json>(operation.responses)) {
      expect(status).toMatch(/^[2-5]\d\d$/);
      expect(response.description).toEqual(expect.any(String));
    }
  }
});

test('it names exactly the routes of the table', async () => {
  const service = await startTestService();
  const { body } = await browser(service).get('/openapi.json');
  const documented = operationsOf(body).map(({ path, method }) => `${method} ${path}`);
  const inTable = routesOf(service.services).map(
    ({ path, method }) => `${method.toLowerCase()} ${path}`,
  );
  expect(documented.sort()).toEqual(inTable.sort());
});

test('every route that it names answers', async () => {
  const service = await startTestService();
  const client = browser(service);
  const { body } = await client.get('/openapi.json');
  for (const { path, method } of operationsOf(body)) {
    const url = path.replace(/\{\w+\}/g, 'x');
    const text = method === 'get' ? undefined : '{';
    const { body: failure } = await client.send(method.toUpperCase(), url, text);
    expect(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'INTERNAL']).not.toContain(failure?.code);
  }
});

test('operation ids are unique', async () => {
  const ids = operationsOf(await documentOf()).map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z]\w+$/);
});

test('each parameter of a path is described', async () => {
  for (const { path, operation } of operationsOf(await documentOf())) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const described = (operation.parameters ?? []).filter((each: Json) => each.in === 'path');
    expect(described.map((each: Json) => each.name)).toEqual(inPath);
    for (const each of described) {
      expect([each.required, each.schema.type]).toEqual([true, 'string']);
    }
  }
});

test('each reference and each security scheme that is named is there', async () => {
  const document = await documentOf();
  for (const { $ref } of nodesOf(document)) {
    if ($ref === undefined) continue;
    const steps = $ref.replace(/^#\//, '').split('/');
    const target = steps.reduce((node: Json, step: string) => node?.[step], document);
    expect(target, $ref).toBeDefined();
  }
  const schemes = Object.keys(document.components.securitySchemes);
  for (const { operation } of operationsOf(document)) {
    for (const requirement of operation.security) {
      expect(schemes).toEqual(expect.arrayContaining(Object.keys(requirement)));
    }
  }
});

test('each schema is made of the types of JSON Schema', async () => {
  const document = await documentOf();
  for (const { operation } of operationsOf(document)) {
    for (const { schema } of nodesOf([operation.requestBody, operation.responses])) {
      for (const { type } of nodesOf(schema)) {
        if (typeof type === 'string') expect(TYPES).toContain(type);
      }
    }
  }
});

test('a route that needs a recent sign-in says which proofs it takes, and what a wrong one is answered', async () => {
  const service = await startTestService();
  const { paths } = (await browser(service).get('/openapi.json')).body;
  const { client } = await signInAs(service);
  for (const { path, method } of routesOf(service.services).filter(
    ({ access }) => access === 'fresh',
  )) {
    const { requestBody, responses } = paths[path][method.toLowerCase()];
    const { properties } = requestBody.content['application/json'].schema;
    for (const { reauthentication } of service.services.features) {
      if (!reauthentication) continue;
      const { field } = reauthentication;
      expect(properties).toHaveProperty(field);
      const { status, body } = await client.send(method, path, { [field]: 'wrong' });
      expect(responses[status].description.split(', ')).toContain(body.code);
    }
  }
});

test('the cookie of the document is the one that is set', async () => {
  const { components } = await documentOf({ BASE_URL: 'https://auth.example.com' });
  expect(components.securitySchemes.cookie.name).toBe('__Host-accessToken');
});
