import { expect, test } from 'vitest';
import { readConfig } from '../../environment/read-config.js';

test('production needs SMTP_URL: links could not be mailed', () => {
  const read = () => readConfig({ NODE_ENV: 'production' });

  expect(read).toThrow('SMTP_URL is missing: it is needed in production');
});
