import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startProcess } from './process.js';
import { DEFAULTS } from './service.js';

const SECRETS = [DEFAULTS.ACCESS_TOKEN_SECRET, DEFAULTS.REFRESH_TOKEN_SECRET];

test('a bad configuration ends the start with 1, and every problem is listed by its variable', async () => {
  const { ended, output } = await startProcess({
    PORT: 'eighty',
    BASE_URL: 'ftp://auth.test',
    ACCESS_TOKEN_SECRET: 'too-short-but-still-a-secret',
    REFRESH_TOKEN_SECRET: '',
    ACCESS_TOKEN_TTL: 'soon',
    CSRF: 'maybe',
    ALLOWED_ORIGINS: '*',
  });
  expect(await ended).toBe(1);
  for (const name of [
    'PORT',
    'BASE_URL',
    'ACCESS_TOKEN_SECRET',
    'REFRESH_TOKEN_SECRET is missing',
    'ACCESS_TOKEN_TTL',
    'CSRF',
    'ALLOWED_ORIGINS',
  ]) {
    expect(output()).toContain(`\n  ${name}`);
  }
  expect(output()).not.toContain('too-short-but-still-a-secret');
  expect(output()).not.toContain('    at ');
});

test('SIGTERM: the request in flight is answered, no other is taken, and the exit code is 0', async () => {
  const service = await startProcess();
  const url = await service.ready();
  // Something that sends nothing is not waited for.
  const silent = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  await once(silent, 'connect');
  const headers = { 'content-type': 'application/json', 'content-length': '2' };
  const sent = request(`${url}/auth/refresh`, { method: 'POST', headers });
  sent.write('{');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);

  const from = performance.now();
  service.child.kill('SIGTERM');
  while (!service.output().includes('shutting down'))
    await once(service.child.stdout ?? sent, 'data');
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  sent.end('}');

  const [response] = await once(sent, 'response');
  expect(response.statusCode).toBe(401);
  response.resume();
  expect(await service.ended).toBe(0);
  expect(performance.now() - from).toBeLessThan(3_000);
  for (const secret of SECRETS) expect(service.output()).not.toContain(secret);
});

test('SIGTERM: a client that never ends its request is not waited for longer than 10 s', async () => {
  const service = await startProcess();
  const url = await service.ready();
  const headers = { 'content-type': 'application/json', 'content-length': '2' };
  const slow = request(`${url}/auth/refresh`, { method: 'POST', headers });
  const cut = once(slow, 'error');
  slow.write('{');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const from = performance.now();
  service.child.kill('SIGTERM');
  await cut;
  expect(await service.ended).toBe(0);
  expect(performance.now() - from).toBeLessThan(10_000);
});
