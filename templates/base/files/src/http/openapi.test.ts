import { expect, test } from 'vitest';
import { browser } from '../../test/client.js';
import { inProduction } from '../../test/in-production.js';
import { startTestService, type TestEnvironment } from '../../test/service.js';

// biome-ignore lint/suspicious/noExplicitAny: the document is read at every depth.
type Json = any;

async function documentOf(environment: TestEnvironment = {}): Promise<Json> {
  const { status, body } = await browser(await startTestService(environment)).get('/openapi.json');
  expect(status).toBe(200);
  return body;
}

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
  const { DATABASE_URL: _, ...production } = inProduction;
  const environment = { ...production, MIGRATE_ON_START: 'on' };
  const service = await startTestService(environment);
  for (const path of ['/auth/openapi.json', '/docs']) {
    expect((await fetch(service.url + path)).status).toBe(404);
  }
  await documentOf({ ...environment, OPENAPI: 'on' });
});
