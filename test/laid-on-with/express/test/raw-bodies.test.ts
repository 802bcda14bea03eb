import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { authRouter } from '../src/http/mount.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

test('express.raw() in front does not keep the body from the service', async () => {
  const service = await startTestService();
  const app = express().use(express.raw({ type: '*/*' }), authRouter(service.services));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { client } = await signInAs({ ...service, url: `http://127.0.0.1:${port}` });
  await client.patch('/profile', { name: 'Zoë 李' });
  expect((await client.get('/me')).body.metadata.name).toBe('Zoë 李');
});
