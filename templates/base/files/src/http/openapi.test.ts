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

test('production hides the document unless OPENAPI=on', async () => {
  const environment = {
    ...inProduction,
    ACCESS_TOKEN_SECRET: '9f2c41d7a8e6b3055d1c7f94e2a8b6d0',
    REFRESH_TOKEN_SECRET: 'c47b19e05f8d2a63b7e4d1908c5fa236',
    MIGRATE_ON_START: 'on',
  };
  const hidden = await browser(await startTestService(environment)).get('/openapi.json');
  expect([hidden.status, hidden.body.code]).toEqual([404, 'NOT_FOUND']);
  await documentOf({ ...environment, OPENAPI: 'on' });
});
