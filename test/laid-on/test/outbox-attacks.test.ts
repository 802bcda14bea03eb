import { get } from 'node:http';
import { expect, test } from 'vitest';
import { startTestService } from './service.js';

const DEVELOPMENT = {
  NODE_ENV: 'development',
  BASE_URL: 'http://localhost:3000',
  TRUST_PROXY: '1',
};

test.each([
  ['under another name, by a tunnel or DNS rebinding', { host: 'evil.example' }],
  ['from another machine', { 'x-forwarded-for': '192.0.2.7' }],
  ['by a proxy that TRUST_PROXY does not count', { via: '1.1 tunnel' }],
])('attack: %s the mails of the outbox cannot be read', async (_how, headers) => {
  const service = await startTestService(DEVELOPMENT);
  const open = (path: string, sent: Record<string, string> = {}) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      const options = { headers: { accept: 'text/html', ...sent } };
      get(`${service.url}${path}`, options, async (response) => {
        const html = (await response.toArray()).join('');
        resolve([response.statusCode, html]);
      }).on('error', reject);
    });

  expect((await open('/auth/ui/outbox'))[0]).toBe(200);
  expect((await open('/auth/ui/outbox', headers))[0]).toBe(404);
  const [status, start] = await open('/', headers);
  expect([status, start.includes('/ui/outbox')]).toEqual([200, false]);
});
