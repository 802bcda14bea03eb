import { expect, test } from 'vitest';
import { signInAtAdmin } from '../../../test/administrator.js';
import { startTestService } from '../../../test/service.js';

test('a stored setting wins over the environment, and null returns to it', async () => {
  const service = await startTestService({ EMAIL_VERIFICATION: 'lazy' });
  const { client } = await signInAtAdmin(service);
  const modeOf = async () => (await client.get('/settings')).body.settings.emailVerificationMode;
  expect(await modeOf()).toBe('lazy');
  await client.send('PUT', '/settings', { emailVerificationMode: 'none' });
  expect(await modeOf()).toBe('none');
  const { body } = await client.send('PUT', '/settings', { emailVerificationMode: null });
  expect(body.settings.emailVerificationMode).toBe('lazy');
  expect((await client.send('PUT', '/settings', { emailVerificationMode: 'x' })).status).toBe(400);
  const { body: log } = await client.get('/audit?filter=settings');
  expect(log.audit.map(({ details }: { details: object }) => details)).toEqual([
    { emailVerificationMode: { old: 'none', new: 'lazy' } },
    { emailVerificationMode: { old: 'lazy', new: 'none' } },
  ]);
});
