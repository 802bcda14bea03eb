import { expect, test } from 'vitest';
import * as z from 'zod';
import { openApiDocument } from '../src/http/openapi.js';
import { mountsOf, type Route } from '../src/http/route.js';
import type { Services } from '../src/services.js';
import { startWithAdmin } from './administrator.js';
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

/** The operations for which `isWanted`, such as `post /login`. */
function operationsIn({ paths }: Json, isWanted: (operation: Json) => boolean): string[] {
  const all = Object.entries<Json>(paths).flatMap(([path, operations]) =>
    Object.entries<Json>(operations).map(([method, each]) => [`${method} ${path}`, each] as const),
  );
  return all.filter(([, each]) => isWanted(each)).map(([name]) => name);
}

test('a public route that reads a credential says that one may be sent', async () => {
  const { body } = await browser(await startTestService()).get('/openapi.json');
  const isOptional = ({ security }: Json) => security.some((each: Json) => !Object.keys(each)[0]);
  expect(operationsIn(body, isOptional).sort()).toEqual([
    'get /verify-email',
    'post /change-email/confirm',
    'post /link-request',
    'post /link-verify',
    'post /logout',
    'post /magic-link/verify',
    'post /refresh',
    'post /reset-password',
  ]);
  const { '/link-request': linkRequest, '/logout': logout, '/refresh': refresh } = body.paths;
  expect(logout.post.security).toEqual([{ cookie: [] }, { bearer: [] }, {}]);
  expect(refresh.post.security).toEqual([{ refreshCookie: [] }, {}]);
  expect(body.components.securitySchemes.refreshCookie.name).toBe('refreshToken');
  expect(linkRequest.post.parameters[0]).toMatchObject({ in: 'header', name: 'X-CSRF-Token' });
});

test('with CSRF=off nothing is said about CSRF tokens', async () => {
  const { body } = await browser(await startTestService({ CSRF: 'off' })).get('/openapi.json');
  const isAbout = (operation: Json) => /csrf/i.test(JSON.stringify(operation));
  expect(operationsIn(body, isAbout)).toEqual([]);
});

test('a form is not refused as JSON; a limit tells how long to wait, and each detail its field', async () => {
  const { body } = await browser(await startTestService()).get('/openapi.json');
  const { responses } = body.paths['/oauth/{provider}/callback'].post;
  expect(responses[400].description).toBe('VALIDATION_FAILED');
  expect(responses[429].headers['Retry-After'].schema).toEqual({ type: 'integer' });
  const { details } = body.components.schemas.Error.properties;
  expect(details.items.required).toEqual(['path', 'message']);
});

/** Parses only what fits the JSON schema of a request or a response. */
function schemaIn({ content }: Json): z.ZodType {
  return z.fromJSONSchema(content['application/json'].schema);
}

test.each([
  ['outgoing', { url: 'https://example.com/hook', events: ['*'] }],
  ['inbound', { provider: 'acme', jsScript: '' }],
])(
  'an %s webhook is taken with a proof, and each reply with one is described',
  async (_, fields) => {
    const { client } = await startWithAdmin();
    const { paths } = (await client.get('/openapi.json')).body;
    const [all, one] = [paths['/webhooks'], paths['/webhooks/{id}']];
    schemaIn(all.post.requestBody).parse({ ...fields, currentPassword: 'secret', code: '123456' });
    const strange = schemaIn(all.post.requestBody).safeParse({ ...fields, shoeSize: 38 });
    expect(strange.success).toBe(false);

    const created = (await client.post('/webhooks', fields)).body;
    schemaIn(all.post.responses[201]).parse(created);
    const path = `/webhooks/${created.webhook.id}`;
    const read = (await client.get(path)).body;
    schemaIn(one.get.responses[200]).parse(read);
    schemaIn(all.get.responses[200]).parse((await client.get('/webhooks')).body);
    schemaIn(one.patch.responses[200]).parse((await client.patch(path, { secret: null })).body);
    for (const name of Object.keys(read.webhook)) {
      const { [name]: _, ...webhook } = read.webhook;
      expect(schemaIn(one.get.responses[200]).safeParse({ webhook }).success, name).toBe(false);
    }
  },
);
