import { fastify } from 'fastify';
import { onTestFinished } from 'vitest';
import { authPlugin, refuseErrors, requireUser } from '../src/http/mount.js';
import { startTestService, type TestEnvironment, type TestService } from './service.js';

class Teapot extends Error {}

/**
 * An app of a team's own around the service, with what apps have: a header and a cookie on every answer,
 * a JSON parser of its own, routes, an error handler.
 */
export async function startOwnApp(environment: TestEnvironment = {}): Promise<TestService> {
  const service = await startTestService(environment);
  const { services } = service;
  const app = fastify({
    loggerInstance: services.log,
    routerOptions: { ignoreTrailingSlash: true },
  });
  const refuse = refuseErrors(services);
  app.setErrorHandler<Error>((error, request, reply) =>
    error instanceof Teapot
      ? reply.code(418).send({ own: error.message })
      : refuse(error, request, reply),
  );
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'x-own-app': 'yes', 'set-cookie': 'own=yes', vary: 'Accept-Language' });
  });
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    app.getDefaultJsonParser('error', 'error'),
  );
  await app.register(authPlugin, { services });
  app.all('/own/hello', { preHandler: requireUser(services) }, async ({ caller }) => ({
    hello: caller?.user.email,
  }));
  app.get('/own/reports', { preHandler: requireUser(services, 'reports:read') }, async () => ({
    reports: [],
  }));
  app.post('/own/echo', async ({ body }) => body);
  app.get('/own/teapot', async () => {
    throw new Teapot('short and stout');
  });
  app.get('/own/gone', async () => {
    throw Object.assign(new Error('That page is gone.'), { status: 404, expose: true });
  });
  app.get('/own/upstream', async () => {
    throw Object.assign(new Error('401 from elsewhere'), { status: 401 });
  });
  app.get('/own/defect', async () => {
    throw new Error('select * from secrets');
  });
  onTestFinished(() => app.close());
  return { ...service, url: await app.listen({ port: 0, host: '127.0.0.1' }), prefix: '/own' };
}
