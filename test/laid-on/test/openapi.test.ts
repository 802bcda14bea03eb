import { expect, test } from 'vitest';
import { mountsOf, type Route, requiresReauthentication } from '../src/http/route.js';
import { browser } from './client.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

test('a route that may need a recent sign-in names the proofs it takes, and the answer to a wrong one', async () => {
  const service = await startTestService();
  const { config, features } = service.services;
  const { paths } = (await browser(service).get('/openapi.json')).body;
  const { client } = await signInAs(service);
  const mount = mountsOf(service.services).find(({ prefix }) => prefix === config.AUTH_PREFIX);
  const needing = (all: Route[] = []) =>
    all.filter(({ access, mayRequire = access }) => requiresReauthentication(mayRequire));
  const routes = needing(mount?.routes);
  expect(routes.map(({ path }) => path)).toContain('/change-password');
  expect(routes.map(({ path }) => path)).toContain('/link-request');
  const others = { currentPassword: '', email: 'bea@example.com', newPassword: 'a first password' };
  for (const { path, method, access } of routes) {
    const { description, requestBody, responses } = paths[path][method.toLowerCase()];
    expect([path, description.startsWith('Strong')]).toEqual([path, access === 'strong']);
    const { properties } = requestBody.content['application/json'].schema;
    for (const { reauthentication } of features) {
      if (!reauthentication) continue;
      const { field } = reauthentication;
      expect(properties).toHaveProperty(field);
      const { status, body } = await client.send(method, path, { ...others, [field]: 'wrong' });
      expect(responses[status].description.split(', ')).toContain(body.code);
    }
  }
});

test('what takes an account away, or a way into it, takes its strongest factor', async () => {
  const { services } = await startTestService();
  const strong = services.resources.flatMap(({ routes }) =>
    routes.flatMap(({ access, method, path }) => (access === 'strong' ? `${method} ${path}` : [])),
  );
  expect(strong.filter((route) => !route.includes(' /admin/')).sort()).toEqual([
    'DELETE /auth/account',
    'DELETE /auth/linked-accounts/:provider/:id',
    'POST /auth/2fa/disable',
    'POST /auth/2fa/recovery-codes',
    'POST /auth/2fa/setup',
    'POST /auth/account/export',
    'POST /auth/add-phone',
    'POST /auth/change-email/request',
  ]);
});

test('the cookie of the document is the one that is set', async () => {
  const service = await startTestService({ BASE_URL: 'https://auth.example.com' });
  const { components } = (await browser(service).get('/openapi.json')).body;
  expect(components.securitySchemes.cookie.name).toBe('__Host-accessToken');
});
