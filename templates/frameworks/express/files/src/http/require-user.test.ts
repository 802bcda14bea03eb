import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { browser, nativeClient } from '../../test/client.js';
import { startTestService, type TestService } from '../../test/service.js';
import { signInAs, signInBrowserAs } from '../../test/sign-in-as.js';
import { authRouter, refuseErrors, refuseUnknownPaths } from './mount.js';
import { requireUser } from './require-user.js';

/** An app of a team's own, with routes beside the service's, on the same services. */
async function startOwnApp(): Promise<TestService> {
  const service = await startTestService();
  const app = express();
  app.use(authRouter(service.services));
  app.all('/own/hello', requireUser(service.services), (request, response) => {
    response.json({ hello: request.caller?.user.email });
  });
  app.get('/own/reports', requireUser(service.services, 'reports:read'), (_request, response) => {
    response.json({ reports: [] });
  });
  app.get('/own/defect', () => {
    throw new Error('select * from secrets');
  });
  app.use(refuseUnknownPaths(service.services));
  app.use(refuseErrors(service.services));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { ...service, url: `http://127.0.0.1:${port}`, prefix: '/own' };
}

test('a route of your own knows the signed-in user', async () => {
  const app = await startOwnApp();
  const { client } = await signInAs(app, { email: 'ada@example.com' });
  expect((await client.get('/hello')).body).toEqual({ hello: 'ada@example.com' });
});

test('it refuses everybody else like the service does', async () => {
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

test('it is safe from CSRF, and a refusal brings a token that is good', async () => {
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

test('a path of nobody and a defect of yours are answered in the form of the service', async () => {
  const client = nativeClient(await startOwnApp());
  expect((await client.get('/nothing')).body.code).toBe('NOT_FOUND');
  const { status, body } = await client.get('/defect');
  expect([status, body.code]).toEqual([500, 'INTERNAL']);
  expect(JSON.stringify(body)).not.toContain('secrets');
});
