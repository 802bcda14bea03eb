import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import { onTestFinished } from 'vitest';
import { type AuthEnv, authApp, refuseErrors, requireUser } from '../src/http/mount.js';
import { startTestService, type TestEnvironment, type TestService } from './service.js';

class Teapot extends Error {}

interface OwnEnv extends AuthEnv {
  Variables: AuthEnv['Variables'] & { tenant: string };
}

/**
 * An app of a team's own around the service, with what apps have: a header and a cookie on every
 * answer, a middleware in front that reads JSON, routes, an error handler.
 */
export async function startOwnApp(environment: TestEnvironment = {}): Promise<TestService> {
  const service = await startTestService(environment);
  const { services } = service;
  const refuse = refuseErrors(services);
  const app = new Hono<OwnEnv>();
  app.use(async (c, next) => {
    c.header('X-Own-App', 'yes');
    c.header('Vary', 'Accept-Language');
    c.set('tenant', 'acme');
    setCookie(c, 'own', 'yes');
    await next();
  });
  app.use(async (c, next) => {
    if (c.req.header('content-type') === 'application/json') {
      await c.req.json().catch(() => {});
      // As `cors()` of Hono does: it makes a response, whose headers Hono puts into the one that follows.
      c.res.headers.set('X-Own-Parser', 'yes');
    }
    await next();
  });
  app.route('/', authApp(services));
  app.all('/own/hello', requireUser(services), (c) => c.json({ hello: c.var.caller.user.email }));
  app.get('/own/reports', requireUser(services, 'reports:read'), (c) => c.json({ reports: [] }));
  app.post('/own/echo', async (c) => c.json(await c.req.json()));
  app.get('/own/teapot', () => {
    throw new Teapot('short and stout');
  });
  app.get('/own/gone', () => {
    throw Object.assign(new Error('That page is gone.'), { status: 404, expose: true });
  });
  app.get('/own/upstream', () => {
    throw Object.assign(new Error('401 from elsewhere'), { status: 401 });
  });
  app.get('/own/defect', () => {
    throw new Error('select * from secrets');
  });
  app.onError((error, c) =>
    error instanceof Teapot ? c.json({ own: error.message }, 418) : refuse(error, c),
  );
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { ...service, url: `http://127.0.0.1:${port}`, prefix: '/own' };
}
