import { expect, test } from 'vitest';
import { startWithAdmin } from './administrator.js';

test.each([
  { jsScript: '// first\nlet x = ;', message: "Line 2, column 9: Unexpected token ';'" },
  { jsScript: 'if (body.a) {\r\n', message: /^After the last line: Unexpected/ },
])('what is wrong with the script %j, and where, is told when it is saved', async (each) => {
  const { client } = await startWithAdmin();
  const { jsScript, message } = each;
  const { body } = await client.post('/webhooks', { provider: 'acme', jsScript });
  const told = typeof message === 'string' ? message : expect.stringMatching(message);
  expect(body.details).toEqual([{ path: 'jsScript', message: told }]);
});

test('an action that does not exist cannot be enabled; one that was taken out of the service may stay', async () => {
  const { service, client } = await startWithAdmin();
  const enable = (...ids: string[]) =>
    client.send('PUT', '/settings', { enabledWebhookActions: ids });
  const refused = await enable('echo.say', 'echo.sya');
  expect([refused.status, refused.body.code, refused.body.details]).toEqual([
    400,
    'VALIDATION_FAILED',
    [{ path: 'enabledWebhookActions', message: 'There is no action "echo.sya".' }],
  ]);
  expect((await client.get('/settings')).body.settings.enabledWebhookActions).toEqual([]);
  await service.services.settings.set('enabledWebhookActions', ['former.action']);
  expect((await enable('former.action', 'echo.say')).status).toBe(200);
});
