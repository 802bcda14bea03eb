import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { inProduction } from './in-production.js';
import { startProcess } from './process.js';
import { DEFAULTS } from './service.js';
import { answersIn, openConnection, receiveAll, requestText } from './wire.js';

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

test('production refuses secrets that could be guessed, without repeating them', async () => {
  const { ended, output } = await startProcess(inProduction);
  expect(await ended).toBe(1);
  expect(output()).toContain('ACCESS_TOKEN_SECRET');
  for (const secret of SECRETS) expect(output()).not.toContain(secret);
});

test('SIGTERM: the request in flight is answered, no other is taken, and the exit code is 0', async () => {
  const service = await startProcess();
  const url = await service.ready();
  const socket = await openConnection({ url });
  const received = receiveAll(socket);
  socket.write(
    requestText('POST /auth/refresh', ['Content-Type: application/json', 'Content-Length: 2'], '{'),
  );
  expect((await fetch(`${url}/healthz`)).status).toBe(200);

  const from = performance.now();
  service.child.kill('SIGTERM');
  while (!service.output().includes('shutting down'))
    await once(service.child.stdout ?? socket, 'data');
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  socket.write('}');

  const [answer] = answersIn(await received);
  expect(answer?.body).toContain('INVALID_REFRESH_TOKEN');
  expect(await service.ended).toBe(0);
  expect(performance.now() - from).toBeLessThan(3_000);
  for (const secret of SECRETS) expect(service.output()).not.toContain(secret);
});

test('SIGINT ends it with 0 as well', async () => {
  const service = await startProcess();
  await service.ready();
  service.child.kill('SIGINT');
  expect(await service.ended).toBe(0);
});

test('a port that is taken ends the start with 1', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { ended, output } = await startProcess({ PORT: String(port) });
  expect(await ended).toBe(1);
  expect(output()).toContain('EADDRINUSE');
});
