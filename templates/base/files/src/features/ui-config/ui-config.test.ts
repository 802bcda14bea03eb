import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { startTestService } from '../../../test/service.js';
import { projectName } from '../../process/project-name.js';

test('a page learns without a sign-in where the routes are and what the service is called', async () => {
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

test('without SERVICE_NAME the service is called as the project is', async () => {
  const service = await startTestService();

  const { body } = await nativeClient(service).get('/ui/config');

  expect(body.ui.siteName).toBe(projectName);
});
