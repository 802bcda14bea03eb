import { expect, test } from 'vitest';
import { openApiDocument } from '../src/http/openapi.js';
import { mountsOf, type Route } from '../src/http/route.js';
import type { Services } from '../src/services.js';
import { browser } from './client.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

// biome-ignore lint/suspicious/noExplicitAny: the document is read at every depth.
type Json = any;

/** The mounted routes below AUTH_PREFIX. */
function routesOf(services: Services): Route[] {
  const mount = mountsOf(services).find(({ prefix }) => prefix === services.config.AUTH_PREFIX);
  return (mount?.routes ?? []).filter(({ isPage }) => !isPage);
}

test('the codes are those of the service, each described where it is answered', async () => {
  const service = await startTestService();
  const document: Json = (await browser(service).get('/openapi.json')).body;
  const { code } = document.components.schemas.Error.properties;
  expect(code.enum.sort()).toEqual(Object.keys(service.services.errors).sort());
  expect(document.paths['/refresh'].post.responses['401'].description).toContain('SESSION_REVOKED');
  expect(document.paths['/me'].get.responses['401'].description).toContain('INVALID_TOKEN');
});

test('every operation has a tag, by which clients group it', async () => {
  const service = await startTestService();
  const { paths } = (await browser(service).get('/openapi.json')).body as Json;
  const untagged = Object.entries<Json>(paths).flatMap(([path, operations]) =>
    Object.entries<Json>(operations)
      .filter(([, { tags = [] }]) => tags.length === 0)
      .map(([method]) => `${method} ${path}`),
  );
  expect(untagged).toEqual([]);
});

test('the answer of a route to an empty request is among its described ones', async () => {
  const service = await startTestService();
  const { paths } = (await browser(service).get('/openapi.json')).body;
  for (const { path, method } of routesOf(service.services).filter(({ isMounted }) => !isMounted)) {
    for (const client of [browser(service), (await signInAs(service)).client]) {
      const url = path.replace(/\{\w+\}/g, 'x');
      const { status, body } = await client.send(method, url, method === 'GET' ? undefined : {});
      const said = paths[path][method.toLowerCase()].responses[status]?.description;
      expect([method, path, status, said]).toEqual([method, path, status, expect.any(String)]);
      if (status >= 400) expect(said.split(', ')).toContain(body.code);
    }
  }
});

test('every answer in JSON is described, and no refusal that a route cannot give', async () => {
  const { services } = await startTestService();
  const unlike: string[] = [];
  for (const mount of mountsOf(services)) {
    const { paths }: Json = openApiDocument(services, mount);
    for (const { path, method, anyOrigin, isPage } of mount.routes) {
      if (isPage) continue;
      const { responses } = paths[path][method.toLowerCase()];
      const success = responses[200]?.content['application/json'].schema;
      if (success && Object.keys(success).length === 0) unlike.push(`${method} ${path}: 200`);
      const refuses = String(responses[403]?.description).includes('ORIGIN_NOT_ALLOWED');
      if (refuses && anyOrigin) unlike.push(`${method} ${path}: 403`);
    }
  }
  expect(unlike).toEqual([]);
});

test('the permission of a route, the form of a whole list and a refused refresh are described', async () => {
  const service = await startTestService();
  for (const mount of mountsOf(service.services)) {
    const { paths }: Json = openApiDocument(service.services, mount);
    for (const { path, method, permission, isPage } of mount.routes) {
      if (isPage) continue;
      const { description = '', parameters = [] } = paths[path][method.toLowerCase()];
      if (permission) expect(description).toContain(`Requires the permission ${permission}.`);
      const format = parameters.find(({ name }: Json) => name === 'format');
      if (format) expect(format.schema.description).toContain('application/x-ndjson');
    }
  }
  const { body } = await browser(service).post('/refresh');
  const { components }: Json = (await browser(service).get('/openapi.json')).body;
  expect(components.schemas.Error.properties.success.const).toBe(body.success);
});
