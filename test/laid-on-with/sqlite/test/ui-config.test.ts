import { expect, test } from 'vitest';
import { projectName } from '../src/process/project-name.js';
import { nativeClient } from './client.js';
import { startTestService } from './service.js';

const everywhere = {
  register: true,
  magicLink: true,
  sms: true,
  forgotPassword: true,
  verifyEmail: true,
  twoFactor: true,
};

test('existing clients find what this service offers by the names that they know', async () => {
  const service = await startTestService({
    OAUTH_GITHUB_CLIENT_ID: 'id',
    OAUTH_GITHUB_CLIENT_SECRET: 'secret',
  });
  const { body } = await nativeClient(service).get('/ui/config');
  expect(body.features).toMatchObject({ ...everywhere, github: true, google: false });
});

test('a page reads the paths of the routes and the name of the service without a sign-in', async () => {
  const service = await startTestService({ AUTH_PREFIX: '/id', SERVICE_NAME: "Ada's <shop>" });

  const { status, body } = await nativeClient(service).get('/ui/config');

  expect(status).toBe(200);
  expect(body).toEqual({
    apiPrefix: '/id',
    features: expect.any(Object),
    ui: { siteName: "Ada's <shop>" },
  });
  for (const isOn of Object.values(body.features)) expect(isOn).toBeTypeOf('boolean');
});

test('without SERVICE_NAME the service has the name of the project', async () => {
  const service = await startTestService();

  const { body } = await nativeClient(service).get('/ui/config');

  expect(body.ui.siteName).toBe(projectName);
});

test('another method is refused as JSON, although pages have paths below the same prefix', async () => {
  const service = await startTestService();
  for (const accept of ['*/*', 'application/json', 'text/html']) {
    const { status, body } = await nativeClient(service).post('/ui/config', {}, { accept });
    expect([accept, status, body.code]).toEqual([accept, 405, 'METHOD_NOT_ALLOWED']);
  }
});
