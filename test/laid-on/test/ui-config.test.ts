import { expect, test } from 'vitest';
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
