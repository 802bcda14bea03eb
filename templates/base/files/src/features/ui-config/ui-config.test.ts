import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { startTestService } from '../../../test/service.js';
import { projectName } from '../../process/project-name.js';

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
