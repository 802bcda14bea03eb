import { expect, test } from 'vitest';
import { browser, nativeClient, sendRaw } from '../../test/client.js';
import { inProduction } from '../../test/environment.js';
import { startOwnApp } from '../../test/own-app.js';
import { startTestService, type TestEnvironment } from '../../test/service.js';
import { signInAs, signInBrowserAs } from '../../test/sign-in-as.js';

test('a JSON parser in front does not keep the body from the service', async () => {
  const app = await startOwnApp();
  const { client } = await signInAs({ ...app, prefix: '/auth' });
  const name = 'Zoë 李';
  expect((await client.patch('/profile', `{ "name" : "${name}" }`)).status).toBe(200);
  expect((await client.get('/me')).body.metadata.name).toBe(name);
  expect((await client.patch('/profile', '{')).body.code).toBe('INVALID_JSON');
  const { status, body } = await client.patch('/profile', '[]');
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
});

test('a route of your own knows the signed-in user', async () => {
  const app = await startOwnApp();
  const { client } = await signInAs(app, { email: 'ada@example.com' });
  expect((await client.get('/hello')).body).toEqual({ hello: 'ada@example.com' });
});

test('it refuses everyone else as the service does', async () => {
  const { status, body, headers } = await nativeClient(await startOwnApp()).get('/hello');
  expect([status, body.code]).toEqual([401, 'INVALID_TOKEN']);
  expect(headers.get('x-request-id')).toBeTruthy();
});

test('it asks for a permission, if you name one', async () => {
  const app = await startOwnApp();
  const [user, admin] = [await signInAs(app), await signInAs(app, { role: 'admin' })];
  expect((await user.client.get('/reports')).body.code).toBe('FORBIDDEN');
  expect((await admin.client.get('/reports')).body).toEqual({ reports: [] });
});

test('it is protected from CSRF, and a refusal sets a valid token', async () => {
  const app = await startOwnApp();
  const signedIn = await signInBrowserAs({ ...app, prefix: '/auth' });
  const page = browser(app);
  page.cookies.set('accessToken', signedIn.client.cookies.get('accessToken') ?? '');
  page.cookies.set('csrf-token', 'planted');
  expect((await page.post('/hello')).body.code).toBe('CSRF_INVALID');
  expect((await page.post('/hello')).status).toBe(200);
  const foreign = await page.post('/hello', {}, { origin: 'http://evil.test' });
  expect(foreign.body.code).toBe('ORIGIN_NOT_ALLOWED');
});

test('attack: a page of another site opens a WebSocket with the cookies of a signed-in user', async () => {
  const app = await startOwnApp();
  const { client } = await signInBrowserAs({ ...app, prefix: '/auth' });
  const cookie = `accessToken=${client.cookies.get('accessToken')}`;
  const statusFor = async (origin: string) => {
    const headers = { cookie, origin, connection: 'upgrade', upgrade: 'websocket' };
    return (await sendRaw(app, { method: 'GET', path: '/own/hello', headers })).status;
  };
  expect(await statusFor('http://evil.test')).toBe(403);
  expect(await statusFor('http://app.test')).toBe(200);
});

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

test('production hides the documents unless OPENAPI=on', async () => {
  const { DATABASE_URL: _, ...environment } = { ...inProduction, MIGRATE_ON_START: 'on' };
  const service = await startTestService(environment);
  expect((await fetch(`${service.url}/auth/openapi.json`)).status).toBe(404);
  await documentOf({ ...environment, OPENAPI: 'on' });
});
