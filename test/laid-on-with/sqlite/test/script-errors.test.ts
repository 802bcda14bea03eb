import { expect, test } from 'vitest';
import { startWithAdmin } from './administrator.js';

test.each([
  { jsScript: '// first\nlet x = ;', message: "Line 2, column 9: Unexpected token ';'" },
  { jsScript: 'if (body.a) {\r\n', message: /^Line 3, column \d+: Unexpected/ },
])('what is wrong with the script %j, and where, is told when it is saved', async (each) => {
  const { client } = await startWithAdmin();
  const { jsScript, message } = each;
  const { body } = await client.post('/webhooks', { provider: 'acme', jsScript });
  const told = typeof message === 'string' ? message : expect.stringMatching(message);
  expect(body.details).toEqual([{ path: 'jsScript', message: told }]);
});
