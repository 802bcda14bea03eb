import { expect, test } from 'vitest';
import { browser } from '../../test/client.js';
import { inProduction } from '../../test/in-production.js';
import { startTestService, type TestEnvironment } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';
import type { Services } from '../services.js';
import { mountsOf, type Route } from './route.js';

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

test('the codes are those of the service, each described where it is answered', async () => {
  const service = await startTestService();
  const document: Json = (await browser(service).get('/openapi.json')).body;
  const { code } = document.components.schemas.Error.properties;
  expect(code.enum.sort()).toEqual(Object.keys(service.services.errors).sort());
  expect(document.paths['/refresh'].post.responses['401'].description).toContain('SESSION_REVOKED');
  expect(document.paths['/me'].get.responses['401'].description).toContain('INVALID_TOKEN');
});

test('what a route answers to nothing at all is among what is said of it', async () => {
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

test('a body is required where an empty one is refused, and headers are named where they count', async () => {
  const { paths } = await documentOf();
  expect(paths['/profile'].patch.requestBody.required).toBe(false);
  const headers = (operation: Json) => operation.parameters?.map(({ name }: Json) => name);
  expect(headers(paths['/refresh'].post)).toEqual(['X-Auth-Strategy']);
  expect(headers(paths['/profile'].patch)).toEqual(['X-CSRF-Token']);
  expect(headers(paths['/me'].get)).toBeUndefined();
  expect(paths['/me'].get.tags).toEqual(['users']);
});

test('/docs shows the documents to people, and nothing that a description holds is run', async () => {
  const { url } = await startTestService({ SERVICE_NAME: '<script>alert(1)</script>' });
  const page = await fetch(`${url}/docs`);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha/,
  );
  const html = await page.text();
  expect(html).toContain('<code>GET /auth/me</code>');
  expect(html).not.toContain('<script');
});

test('production hides documents and page unless OPENAPI=on', async () => {
  const environment = {
    ...inProduction,
    ACCESS_TOKEN_SECRET: '9f2c41d7a8e6b3055d1c7f94e2a8b6d0',
    REFRESH_TOKEN_SECRET: 'c47b19e05f8d2a63b7e4d1908c5fa236',
    MIGRATE_ON_START: 'on',
  };
  const service = await startTestService(environment);
  for (const path of ['/auth/openapi.json', '/docs']) {
    expect((await fetch(service.url + path)).status).toBe(404);
  }
  await documentOf({ ...environment, OPENAPI: 'on' });
});
