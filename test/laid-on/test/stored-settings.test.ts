import { expect, test } from 'vitest';
import { actionsOf, signInAtAdmin, startWithAdmin } from './administrator.js';
import { startTestService } from './service.js';

test('a stored setting wins over the environment, and null returns to it', async () => {
  const { client } = await startWithAdmin({ EMAIL_VERIFICATION: 'lazy' });
  const modeOf = async () => (await client.get('/settings')).body.settings.emailVerificationMode;
  expect(await modeOf()).toBe('lazy');
  await client.send('PUT', '/settings', { emailVerificationMode: 'none' });
  expect(await modeOf()).toBe('none');
  await client.send('PUT', '/settings', { enabledWebhookActions: ['echo.say'] });
  const { body } = await client.send('PUT', '/settings', { emailVerificationMode: null });
  expect(body.settings).toMatchObject({
    emailVerificationMode: 'lazy',
    enabledWebhookActions: ['echo.say'],
  });
  expect((await client.send('PUT', '/settings', { emailVerificationMode: 'x' })).status).toBe(400);
  const { body: log } = await client.get('/audit?filter=settings');
  expect(log.audit.map(({ details }: { details: object }) => details)).toEqual([
    { emailVerificationMode: { old: 'none', new: 'lazy' } },
    { enabledWebhookActions: { old: [], new: ['echo.say'] } },
    { emailVerificationMode: { old: 'lazy', new: 'none' } },
  ]);
});

test('a test email goes out at once, and an error of the mail server is returned', async () => {
  let refusal: Error | undefined;
  const sent: string[] = [];
  const mailer = {
    async send({ to }: { to: string }) {
      if (refusal) throw refusal;
      sent.push(to);
    },
  };
  const service = await startTestService({}, { mailer });
  const { client } = await signInAtAdmin(service);
  const to = 'ops@example.com';
  expect((await client.post('/settings/test-mail', { to })).body).toEqual({ success: true });
  expect(sent).toEqual([to]);
  refusal = new Error('550 no such mailbox');
  const { status, body } = await client.post('/settings/test-mail', { to });
  expect([status, body]).toEqual([502, { code: 'MAIL_NOT_SENT', error: '550 no such mailbox' }]);
});

test('mail bombing: an administrator sends one test email a minute to one address', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const { client } = await signInAtAdmin(service);
  const send = async () =>
    (await client.post('/settings/test-mail', { to: 'a@example.com' })).status;
  expect([await send(), await send()]).toEqual([200, 429]);
  service.advance(61_000);
  expect(await send()).toBe(200);
});

test('a setting that does not exist is ignored, and the answer has the current settings', async () => {
  const { service, client } = await startWithAdmin();
  const { body: before } = await client.get('/settings');
  const { status, body } = await client.send('PUT', '/settings', { noSuchSetting: true });
  expect([status, body]).toEqual([200, { success: true, ...before }]);
  expect((await client.get('/settings')).body).toEqual(before);
  expect(await actionsOf(service)).toContain('PUT /settings');
});

test('it is on in production and off elsewhere, unless it is set', async () => {
  const service = await startTestService();
  const { config } = service.services;
  const { client } = await signInAtAdmin(service);
  expect((await client.get('/ping')).status).toBe(200);
  Object.assign(config, { isProduction: true });
  expect((await client.get('/ping')).body.code).toBe('2FA_SETUP_REQUIRED');
  Object.assign(config, { ADMIN_2FA: false });
  expect((await client.get('/ping')).status).toBe(200);
});
