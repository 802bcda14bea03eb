import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { nativeClient } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { serverOptions } from './listen.js';
import { refuseErrors } from './mount.js';

test('a refusal of your own schema names each field', async () => {
  const service = await startTestService();
  const app = fastify(serverOptions(service.services));
  const properties = {
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'number' } },
  };
  const schema = { body: { type: 'object', required: ['name'], properties } };
  app.post('/own/pets', { schema }, async ({ body }) => body);
  app.setErrorHandler(refuseErrors(service.services));
  onTestFinished(() => app.close());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const client = nativeClient({ ...service, url, prefix: '/own' });
  expect((await client.post('/pets', { name: 'Rex', tags: [1] })).body).toEqual({
    name: 'Rex',
    tags: [1],
  });
  for (const [body, path] of [
    [{}, ''],
    [{ name: 'Rex', tags: [1, 'two'] }, 'tags.1'],
  ] as const) {
    const answer = await client.post('/pets', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.body.details).toEqual([{ path, message: expect.any(String) }]);
  }
});
