import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { onTestFinished } from 'vitest';
import { authRouter, refuseErrors, requireUser } from '../src/http/mount.js';
import { startTestService, type TestEnvironment, type TestService } from './service.js';

class Teapot extends Error {}

const refuseTeapots: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof Teapot)) return next(error);
  response.status(418).json({ own: error.message });
};

/**
 * An app of a team's own around the service, with what apps have: a header and a cookie on every answer,
 * a JSON parser in front, routes, an error handler.
 */
export async function startOwnApp(environment: TestEnvironment = {}): Promise<TestService> {
  const service = await startTestService(environment);
  const { services } = service;
  const app = express();
  app.use((_request, response, next) => {
    response.set('X-Own-App', 'yes').vary('Accept-Language').cookie('own', 'yes');
    next();
  });
  app.use(express.json());
  app.use(authRouter(services));
  app.all('/own/hello', requireUser(services), (request, response) => {
    response.json({ hello: request.caller?.user.email });
  });
  app.get('/own/reports', requireUser(services, 'reports:read'), (_request, response) => {
    response.json({ reports: [] });
  });
  app.post('/own/echo', (request, response) => {
    response.json(request.body);
  });
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
  app.use(refuseTeapots);
  app.use(refuseErrors(services));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { ...service, url: `http://127.0.0.1:${port}`, prefix: '/own' };
}
