import { expect, it } from 'vitest';
import type { Config } from '../config.js';
import { createLog } from './log.js';

it('redacts what must never be logged, and keeps the codes of errors', () => {
  let written = '';
  const log = createLog({ LOG_LEVEL: 'info' } as Config, {
    write(line) {
      written += line;
    },
  });
  log.info({
    accessToken: 'sesame',
    body: { code: 'sesame', tempToken: 'sesame' },
    request: { headers: { cookie: 'sesame', authorization: 'sesame' } },
    err: Object.assign(new Error('gone'), { code: 'ENOENT' }),
  });
  expect(written).toContain('ENOENT');
  expect(written).not.toContain('sesame');
});
